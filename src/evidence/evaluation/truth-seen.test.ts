import { expect, test } from 'vitest';
import { truthSeen } from './truth-seen.ts';

const corners = (x: number, y: number, width: number, height: number) => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
];

test.each([
  { name: 'whole', region: corners(0, 0, 100, 100), seen: { box: [10, 10, 20, 20], remaining: 1, isIgnored: false } },
  { name: 'half', region: corners(20, 0, 80, 100), seen: { box: [20, 10, 10, 20], remaining: 0.5, isIgnored: false } },
  {
    name: 'a quarter',
    region: corners(20, 20, 80, 80),
    seen: { box: [20, 20, 10, 10], remaining: 0.25, isIgnored: true },
  },
  { name: 'nothing', region: corners(50, 0, 50, 100), seen: null },
  { name: 'touched at its edge', region: corners(30, 0, 70, 100), seen: null },
  {
    name: 'turned around (corners run the other way)',
    region: corners(20, 0, 80, 100).reverse(),
    seen: { box: [20, 10, 10, 20], remaining: 0.5, isIgnored: false },
  },
  {
    name: 'cut by a tilted edge',
    region: [
      { x: 10, y: 30 },
      { x: 30, y: 10 },
      { x: 60, y: 40 },
      { x: 40, y: 60 },
    ],
    seen: { box: [10, 10, 20, 20], remaining: 0.5, isIgnored: false },
  },
])('a box of which is seen: $name', ({ region, seen }) => {
  expect(truthSeen([10, 10, 20, 20], region)).toEqual(seen);
});

test('a box that was seen whole has its very numbers, not those of its corners', () => {
  const box = [0.1, 0.2, 0.3, 0.7] as const;
  expect(truthSeen(box, corners(0, 0, 1, 1))).toEqual({ box, remaining: 1, isIgnored: false });
});

test('the share that must remain can be said', () => {
  expect(truthSeen([10, 10, 20, 20], corners(20, 20, 80, 80), 0.25)).toMatchObject({ isIgnored: false });
});
