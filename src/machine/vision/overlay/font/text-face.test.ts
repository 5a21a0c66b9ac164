import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textFace, type GlyphMask } from './text-face.ts';
import { trueTypeFont } from './true-type-font.ts';

const file = readFileSync(new URL('../../../../../public/fonts/Go-Regular.ttf', import.meta.url));
const face = textFace(trueTypeFont(new Uint8Array(file).buffer), 30);

const place = ({ leftPx, topPx, widthPx, heightPx }: GlyphMask) => [leftPx, topPx, widthPx, heightPx];
const hash = ({ alpha }: GlyphMask) => createHash('sha256').update(alpha).digest('hex').slice(0, 12);

describe('textFace', () => {
  it.each([
    ['A', 1281], // 1366 units are 1280.6
    ['i', 473], // 505 are 473.4
    [' ', 533],
    ['日', 1440],
  ])('advances after "%s" by %i 64ths of a pixel', (character, advance) => {
    expect(face.advanceOf(character)).toBe(advance);
  });

  // Texts made of these masks are equal to the machine's code (tests/oracle/overlay.test.ts).
  it.each([
    [0, [2, -4, 5, 4], [16, 255, 255, 255, 176]],
    [16, [3, -4, 4, 4], [208, 255, 255, 240]],
    [32, [3, -4, 5, 4], [144, 255, 255, 255, 48]],
    [48, [3, -4, 5, 4], [80, 255, 255, 255, 112]],
  ])('sets a full stop %i 64ths into a pixel', (xFraction, at, lastRow) => {
    const mask = face.maskOf('.', xFraction);
    expect(place(mask)).toEqual(at);
    expect([...mask.alpha.slice(-mask.widthPx)]).toEqual(lastRow);
  });

  it.each([
    ['A', 0, [0, -22, 20, 22], '073c033feb8e'],
    ['A', 16, [0, -22, 20, 22], '4cc93758a006'],
    ['A', 32, [0, -22, 21, 22], '6c40fe10e399'],
    ['A', 48, [1, -22, 20, 22], '9ec3f8b48058'],
    ['e', 0, [1, -17, 14, 18], '47ea7a2826ff'],
    ['e', 16, [1, -17, 15, 18], '7fa4502145e3'],
    ['e', 32, [1, -17, 15, 18], 'bf3365254a07'],
    ['e', 48, [2, -17, 14, 18], 'afc5b0ad945a'],
  ])('sets "%s" %i 64ths into a pixel', (character, xFraction, at, expected) => {
    const mask = face.maskOf(character, xFraction);
    expect(place(mask)).toEqual(at);
    expect(hash(mask)).toBe(expected);
  });

  it('leaves out what contours of a glyph overlap', () => {
    const points = (from: number, to: number) =>
      [
        [from, from],
        [to, from],
        [to, to],
        [from, to],
      ].map(([x, y]) => ({ x: x!, y: y!, onCurve: true }));
    const bounds = { xMin: 0, yMin: 0, xMax: 3, yMax: 3 };
    const glyph = { index: 1, advance: 3, contours: [points(0, 3), points(1, 2)] };
    const ring = textFace({ unitsPerEm: 3, bounds, glyph: () => glyph }, 3).maskOf('x', 0);
    expect([...ring.alpha]).toEqual([255, 255, 255, 255, 0, 255, 255, 255, 255]);
  });

  it('rounds halves of a 64th away from zero', () => {
    const points = [-1, 127].flatMap((x) => [-1, 127].map((y) => ({ x, y: x < 0 ? y : 126 - y, onCurve: true })));
    const glyph = { index: 1, advance: 1, contours: [points] };
    const bounds = { xMin: -1, yMin: -1, xMax: 127, yMax: 127 };
    const halves = textFace({ unitsPerEm: 128, bounds, glyph: () => glyph }, 1);
    expect(halves.advanceOf('x')).toBe(1);
    expect(place(halves.maskOf('x', 0))).toEqual([-1, -1, 2, 2]);
  });

  it('draws a contour alike whichever point it begins at', () => {
    const points = [
      { x: 0, y: 0, onCurve: true },
      { x: 9, y: 0, onCurve: false },
      { x: 9, y: 9, onCurve: false },
      { x: 0, y: 9, onCurve: true },
    ];
    const bounds = { xMin: 0, yMin: 0, xMax: 9, yMax: 9 };
    const masks = [0, 1, 2, 3].map((begin) => {
      const glyph = { index: 1, advance: 9, contours: [[...points.slice(begin), ...points.slice(0, begin)]] };
      return [...textFace({ unitsPerEm: 9, bounds, glyph: () => glyph }, 9).maskOf('x', 0).alpha];
    });
    expect(masks).toEqual([masks[0], masks[0], masks[0], masks[0]]);
  });

  it('has an empty mask for a space, and keeps masks', () => {
    expect(place(face.maskOf(' ', 16))).toEqual([0, 0, 0, 0]);
    expect(face.maskOf('A', 16)).toBe(face.maskOf('A', 16));
  });
});
