import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../frame/frame.ts';
import { patternFrame } from '../frame/pattern-frame.ts';
import type { BoxItem } from './display-list.ts';
import { paint } from './paint.ts';
import { overlayFace } from './overlay-face.ts';

const fontFile = readFileSync(new URL('../../../../public/fonts/Go-Regular.ttf', import.meta.url));
const font = overlayFace(new Uint8Array(fontFile).buffer);

const white = (widthPx: number, heightPx: number): Frame => ({
  format: 'rgba8',
  widthPx,
  heightPx,
  samples: new Uint8ClampedArray(4 * widthPx * heightPx).fill(255),
});
/** # = red, . = untouched white, anything else = antialiased. */
const picture = ({ widthPx, heightPx, samples }: Frame) =>
  Array.from({ length: heightPx }, (_, y) =>
    Array.from({ length: widthPx }, (_, x) => {
      const [red, green, blue] = samples.slice(4 * (y * widthPx + x));
      expect([red, green]).toEqual([255, blue]);
      return green === 0 ? '#' : green === 255 ? '.' : '+';
    }).join(''),
  );
const box = (xMin: number, yMin: number, xMax: number, yMax: number): BoxItem => ({
  kind: 'box',
  xMin,
  yMin,
  xMax,
  yMax,
});

describe('paint', () => {
  it.each([
    ['opaque', 'a9ac4e68cf8c71ad'],
    ['varied', 'c0cc5d6793e21942'],
  ] as const)('paints a box and a label as the machine does, on a frame of %s alpha', (alpha, hash) => {
    const label = { kind: 'text', text: 'crop: 1.00', leftPx: 3, baselinePx: 30 } as const;
    const { samples } = paint(patternFrame('rgba8', 64, 48, alpha), [box(3, 0, 60, 44), label], font);
    // Equal to the machine's code once colours are multiplied with their alpha.
    expect(createHash('sha256').update(samples).digest('hex').slice(0, 16)).toBe(hash);
  });

  it('centres a line of 2 px with round ends on the edges of a box', () => {
    expect(picture(paint(white(9, 7), [box(2, 2, 7, 5)], font))).toEqual([
      '.........',
      '.+#####+.',
      '.#######.',
      '.##...##.',
      '.#######.',
      '.+#####+.',
      '.........',
    ]);
  });

  it('cuts lines off at the edges of the frame', () => {
    expect(picture(paint(white(5, 4), [box(0, 0, 5, 4)], font))).toEqual(['#####', '#...#', '#...#', '#####']);
  });

  it('draws a line that leaves the frame up to its edge, without an end', () => {
    const through = ['........', '########', '########', '........'];
    expect(picture(paint(white(8, 4), [box(-20, 2, 40, 2)], font))).toEqual(through);
  });

  it('leaves out a line that lies outside the frame', () => {
    const outside = [box(1, -20, 6, -20), box(1, 40, 6, 40), box(-20, 1, -20, 3), box(40, 1, 40, 3)];
    expect(paint(white(8, 4), outside, font)).toEqual(white(8, 4));
  });

  it('draws a box of zero width or height as a line, and a point not at all', () => {
    expect(picture(paint(white(5, 4), [box(1, 2, 3, 2)], font))).toEqual(['.....', '+##+.', '+##+.', '.....']);
    expect(picture(paint(white(3, 3), [box(1, 1, 1, 1)], font))).toEqual(['...', '...', '...']);
  });

  it('sets text in Go Regular, 30 px, left at the pen and standing on the baseline', () => {
    // The H of Go Regular: stems from x 165 to 375 and 1104 to 1313, 1480 high, bar from y 699 to 856, of 2048 an em.
    const drawn = picture(paint(white(24, 40), [{ kind: 'text', text: 'H', leftPx: 0, baselinePx: 35 }], font));
    const stems = '..+##+..........+##+....';
    const bar = '..+################+....';
    expect(drawn[12]).toMatch(/^\.+$/); // 1480 is 21.68 px: from y 13.32 …
    expect(drawn[13]).toMatch(/^\.\.\+{4}\.{10}\+{4}\.{4}$/);
    expect(drawn[14]).toBe(stems);
    expect(drawn[23]).toBe(bar); // 856 is 12.54 px, 699 is 10.24 px
    expect(drawn[34]).toBe(stems); // … down to the baseline
    expect(drawn[35]).toMatch(/^\.+$/);
  });

  it('advances by the width of each character; one that the font lacks shows its missing glyph', () => {
    const inkEnd = (text: string) =>
      Math.max(
        ...picture(paint(white(120, 40), [{ kind: 'text', text, leftPx: 0, baselinePx: 30 }], font)).map((row) =>
          Math.max(row.lastIndexOf('#'), row.lastIndexOf('+')),
        ),
      );
    const advancePx = (character: string) => font.advanceOf(character) / 64;
    expect(inkEnd('AAA') - inkEnd('A')).toBeCloseTo(2 * advancePx('A'), 0);
    expect(inkEnd('A👀') - inkEnd('👀')).toBeCloseTo(advancePx('A'), 0);
    expect(font.maskOf('日', 0)).toBe(font.maskOf('本', 0));
  });

  it('blends over alpha', () => {
    const clear: Frame = { format: 'rgba8', widthPx: 1, heightPx: 1, samples: Uint8ClampedArray.of(0, 0, 255, 0) };
    expect([...paint(clear, [box(0, 0, 1, 1)], font).samples]).toEqual([255, 0, 0, 255]);
  });

  it('converts the frame to RGBA and leaves the one given alone', () => {
    const frame = patternFrame('ycbcr8', 3, 2);
    expect([...paint(frame, [box(2, 0, 3, 0)], font).samples.slice(0, 8)]).toEqual([236, 1, 8, 255, 208, 0, 22, 255]);
    expect(frame).toEqual(patternFrame('ycbcr8', 3, 2));
    expect([...paint(frame, [], font).samples.slice(0, 4)]).toEqual([22, 19, 98, 255]);
  });
});
