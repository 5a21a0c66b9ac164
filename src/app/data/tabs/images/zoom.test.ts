import { expect, it } from 'vitest';
import { fitInto, zoomAbout } from './zoom.ts';

const stage = { widthPx: 832, heightPx: 632 };

it.each([
  [
    { widthPx: 1600, heightPx: 600 },
    { x: 16, y: 166, scale: 0.5 },
  ],
  [
    { widthPx: 600, heightPx: 500 },
    { x: 116, y: 66, scale: 1 },
  ],
  [
    { widthPx: 10, heightPx: 10 },
    { x: 376, y: 276, scale: 8 },
  ],
])('fits %j', (picture, expected) => {
  expect(fitInto(stage, picture)).toEqual(expected);
});

it('keeps the point under the pointer', () => {
  const before = { x: 16, y: 166, scale: 0.5 };
  const point = { x: 216, y: 266 };
  const after = zoomAbout(before, 2, point, 0.1);
  expect(after.scale).toBe(1);
  expect((point.x - after.x) / after.scale).toBe((point.x - before.x) / before.scale);
  expect(zoomAbout(before, 1e9, point, 0.1).scale).toBe(40);
  expect(zoomAbout(before, 1e-9, point, 0.1).scale).toBe(0.1);
});
