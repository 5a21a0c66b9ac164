import { expect, it } from 'vitest';
import { binOf, HistogramCounter } from './histogram.ts';

it.each([
  [-1, 0],
  [0, 0],
  [1, 1],
  [2.9, 1],
  [3, 2],
  [5, 2],
  [9, 2],
  [NaN, 2],
])('counts %d in bin %i of those between 0, 1, 3 and 5', (value, bin) => {
  expect(binOf([0, 1, 3, 5], value)).toBe(bin);
});

it('gives counts that later values do not change', () => {
  const counter = new HistogramCounter([0, 1, 2]);
  counter.add(0.5);
  const histogram = counter.histogram();
  counter.add(1.5);
  expect(histogram).toEqual({ borders: [0, 1, 2], counts: [1, 0] });
  expect(counter.histogram().counts).toEqual([1, 1]);
});
