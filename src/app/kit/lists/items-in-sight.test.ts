import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawnAtOnce, itemsInSight, revealItem } from './items-in-sight.ts';

const list = { count: 100_000, itemPx: 24, scrolledPx: 0, viewPx: 480, around: 4 };

it.each([
  ['at the start', 0, [0, 29]],
  ['as long as what is around the first is all there', 4 * 24, [0, 29]],
  ['in the middle', 24 * 1000, [996, 1025]],
  ['within an item', 24 * 1000 + 23, [996, 1025]],
  ['at the end', 24 * 100_000 - 480, [99_971, 100_000]],
  ['pulled over the start', -80, [0, 29]],
  ['where it was longer before', 24 * 200_000, [99_971, 100_000]],
])('draws a screenful %s', (_, scrolledPx, [first, end]) => {
  expect(itemsInSight({ ...list, scrolledPx })).toEqual({ first, end });
});

it('draws all of a short list, and nothing of an empty one', () => {
  expect(itemsInSight({ ...list, count: 3 })).toEqual({ first: 0, end: 3 });
  expect(itemsInSight({ ...list, count: 0, scrolledPx: 500 })).toEqual({ first: 0, end: 0 });
  expect(drawnAtOnce({ ...list, viewPx: 0 })).toBe(9);
});

const lists = fc
  .record({
    count: fc.integer({ min: 1, max: 200_000 }),
    itemPx: fc.double({ min: 1, max: 300, noNaN: true }),
    viewPx: fc.integer({ min: 0, max: 3000 }),
    around: fc.integer({ min: 0, max: 8 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ part, ...sizes }) => ({
    ...sizes,
    scrolledPx: part * Math.max(0, sizes.count * sizes.itemPx - sizes.viewPx),
  }));

it('leaves no gap in sight, wherever one is', () => {
  fc.assert(
    fc.property(lists, (at) => {
      const { first, end } = itemsInSight(at);
      expect(first * at.itemPx).toBeLessThanOrEqual(at.scrolledPx + 1e-6);
      const seenPx = Math.min(at.count * at.itemPx, at.scrolledPx + at.viewPx);
      expect(end * at.itemPx).toBeGreaterThanOrEqual(seenPx - 1e-6);
      expect(end - first).toBe(Math.min(at.count, drawnAtOnce(at)));
    }),
    { seed: 20261130 },
  );
});

it.each([
  ['not, where it is in sight', 5, 100],
  ['to its start, from below', 2, 48],
  ['to its end, from above', 30, 31 * 24 - 240],
  ['not, where its start is that of the view', 10, 240],
])('scrolls %s', (_, index, to) => {
  const scrolledPx = index === 10 ? 240 : 100;
  expect(revealItem(index, { itemPx: 24, scrolledPx, viewPx: 240 })).toBe(to);
});
