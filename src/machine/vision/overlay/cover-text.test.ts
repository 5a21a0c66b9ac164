import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coverText } from './cover-text.ts';
import type { TextItem } from './display-list.ts';
import { overlayFace } from './overlay-face.ts';

const file = readFileSync(new URL('../../../../public/fonts/Go-Regular.ttf', import.meta.url));
const face = overlayFace(new Uint8Array(file).buffer);

/** What a text covers: the coverage, 0..65535, of each pixel `x, y`. */
function covered(text: string, leftPx: number, baselinePx: number, widthPx: number, heightPx = 40) {
  const item: TextItem = { kind: 'text', text, leftPx, baselinePx };
  const found = new Map<string, number>();
  coverText(item, { widthPx, heightPx }, face, (x, y, alpha16) => found.set(`${x}, ${y}`, alpha16));
  return found;
}
const row = (pixels: ReadonlyMap<string, number>, y: number, length: number) =>
  Array.from({ length }, (_, x) => (pixels.get(`${x}, ${y}`) ?? 0) / 257);

describe('coverText', () => {
  // A full stop's last row, from 2 or 3 px after its origin on, says where in a pixel it was set: see text-face.test.ts.
  const ends = {
    0: [16, 255, 255, 255, 176],
    16: [208, 255, 255, 240],
    32: [144, 255, 255, 255, 48],
    48: [80, 255, 255, 255, 112],
  };

  it.each([
    ['.', 2, ends[0]],
    ['..', 12, ends[32]],
    ['...', 21, ends[0]],
    ['i.', 10, ends[32]], // at 7 px and 25 64ths: nearer to 32 than to 16
    ['l.', 10, ends[0]],
  ])('sets the last character of "%s" at the nearest quarter of a pixel', (text, x, coverages) => {
    expect(row(covered(text, 0, 30, 60), 29, x + coverages.length).slice(x)).toEqual(coverages);
  });

  it('begins where it is told, and leaves out what lies outside the frame', () => {
    const [whole, moved] = [covered('.', 0, 4, 60), covered('.', -4, 2, 60)];
    expect(row(covered('.', 7, 30, 60), 29, 13).slice(7)).toEqual(row(whole, 3, 6));
    expect(row(moved, 0, 3)).toEqual(row(whole, 2, 7).slice(4));
    expect(moved.size).toBe(6);
    expect(covered('.', 0, 4, 4, 2).size).toBe(4);
    expect(covered('.', 0, 44, 60, 40).size).toBe(0);
  });

  it('sets lines 30 px apart, as wide as the frame wherever they begin', () => {
    expect([...covered('. .', 30, 4, 20).keys()]).toEqual([]);
    expect([...covered('l l', 20, 30, 30, 70).keys()].filter((at) => at.endsWith(', 59'))).toEqual([]);
    const lines = covered('. .', 0, 4, 20);
    expect(row(lines, 33, 20)).toEqual(row(lines, 3, 20));
    expect(covered('. .', 0, 4, 30).has('4, 33')).toBe(false);
  });
});
