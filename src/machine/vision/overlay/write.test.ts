import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { patternFrame } from '../frame/pattern-frame.ts';
import { classificationOverlay } from './classification-overlay.ts';
import { overlayFace } from './overlay-face.ts';
import { write } from './write.ts';

const file = readFileSync(new URL('../../../../public/fonts/Go-Regular.ttf', import.meta.url));
const face = overlayFace(new Uint8Array(file).buffer);
const stop = { kind: 'text', text: '.', leftPx: 0, baselinePx: 4 } as const;
const onto = (...pixel: readonly number[]) => {
  const samples = Uint8ClampedArray.from({ length: 4 * 8 * 4 }, (_, i) => pixel[i % 4]!);
  return write({ format: 'rgba8', widthPx: 8, heightPx: 4, samples }, [stop], face).samples;
};

describe('write', () => {
  it.each([
    ['opaque', '89d2438c6e16a97f'],
    ['varied', '4a45dd847dd7be00'],
  ] as const)('writes classifications as the machine does, on a frame of %s alpha', (alpha, hash) => {
    const texts = classificationOverlay([
      { label: 'The quick fox', score: 0.75 },
      { label: 'Ærø', score: 0.25 },
    ]);
    const { samples } = write(patternFrame('rgba8', 90, 100, alpha), texts, face);
    // Equal to the machine's code, once a colour is multiplied with its alpha.
    expect(createHash('sha256').update(samples).digest('hex').slice(0, 16)).toBe(hash);
  });

  it.each([
    ['opaque black', [0, 0, 0, 255], [16, 0, 0, 255], [176, 0, 0, 255]],
    ['opaque colour', [10, 200, 90, 255], [25, 188, 84, 255], [179, 62, 27, 255]],
    ['half transparent colour', [10, 200, 90, 128], [38, 176, 79, 136], [210, 37, 16, 216]],
    ['nothing', [10, 200, 90, 0], [255, 0, 0, 16], [255, 0, 0, 176]],
  ])('counts a coverage of 16 and of 176 of 255 once, over %s', (_, below, faint, strong) => {
    const samples = onto(...below);
    // The last row of the full stop: 16, 255, 255, 255, 176 from x = 2 on.
    const at = (x: number) => [...samples.slice(4 * (3 * 8 + x), 4 * (3 * 8 + x) + 4)];
    expect([at(2), at(4), at(6), at(7)]).toEqual([faint, [255, 0, 0, 255], strong, below]);
  });

  it('leaves the frame given alone, and converts one without texts too', () => {
    const frame = patternFrame('ycbcr8', 8, 4);
    const written = write(frame, [stop], face);
    expect([...written.samples.slice(0, 4)]).toEqual([22, 19, 98, 255]);
    expect(frame).toEqual(patternFrame('ycbcr8', 8, 4));
    const rgba = patternFrame('rgba8', 8, 4);
    expect(write(rgba, [stop], face)).not.toEqual(rgba);
    expect(rgba).toEqual(patternFrame('rgba8', 8, 4));
    expect([...write(frame, [], face).samples.slice(0, 4)]).toEqual([22, 19, 98, 255]);
  });
});
