import { expect, it } from 'vitest';
import { leastCovering } from './least-covering.ts';

const rect = (x: number, y: number, width = 40, height = 20) => ({ x, y, width, height });
const [left, right, below] = [rect(0, 0), rect(60, 0), rect(0, 80)];

it.each([
  ['nothing is taken', [], left],
  ['all are taken alike', [rect(0, 0), rect(60, 0), rect(0, 80)], left],
  ['what is taken only touches it', [rect(40, 0, 10), rect(0, 20)], left],
  ['the first is taken', [rect(10, 10)], right],
  ['each is taken, the last the least', [rect(0, 0), rect(60, 0), rect(35, 95)], below],
  ['two small ones lie under the second', [rect(0, 0, 5, 5), rect(60, 0, 4, 4), rect(70, 0, 4, 4), rect(0, 80)], left],
])('takes the first place that covers the least where %s', (_, taken, place) => {
  expect(leastCovering([left, right, below], taken)).toBe(place);
});

it('has none where none is offered', () => {
  expect(leastCovering([], [left])).toBeNull();
});
