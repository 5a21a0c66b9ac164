import { expect, it } from 'vitest';
import { groundGrid } from './ground-grid.ts';

it.each([
  [8, 1],
  [8.1, 2],
  [4, 0.5],
  [1, 0.2],
  [0.03, 0.005],
  [3000, 500],
  [7.9, 1],
])('of %d has a line every %d', (width, step) => {
  expect(groundGrid({ min: [0, 0, 0], max: [width, width / 2, 1] })!.step).toBe(step);
});

it('lies below the cloud and reaches to the next line on every side', () => {
  const { step, ends } = groundGrid({ min: [-1.5, 0.2, -3], max: [6.4, 1.7, 9] })!;
  const points = Array.from({ length: ends.length / 3 }, (_, at) => [...ends.subarray(at * 3, at * 3 + 3)]);
  expect(step).toBe(1);
  expect(points).toHaveLength(2 * (10 + 3)); // x = −2 … 7, y = 0 … 2
  expect(new Set(points.map(([x]) => x))).toEqual(new Set(Array.from({ length: 10 }, (_, at) => at - 2)));
  expect(points.every(([, , z]) => z === -3)).toBe(true);
});

it.each([
  [
    [1, 2, 3],
    [1, 2, 3],
  ],
  [
    [1, 2, 3],
    [1, 2, 9],
  ],
] as const)('is none from %j to %j', (min, max) => {
  expect(groundGrid({ min, max })).toBeNull();
});
