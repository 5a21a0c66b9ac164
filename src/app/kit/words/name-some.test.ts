import { expect, it } from 'vitest';
import { nameSome } from './name-some.ts';

it.each([
  [['a'], undefined, 'a'],
  [['a', 'b', 'c'], undefined, 'a, b, c'],
  [['a', 'b', 'c', 'd'], undefined, 'a, b, c and 1 more'],
  [['a', 'b'], 1200, 'a, b and 1,198 more'],
])('names of %j with %s in all: %s', (names, count, expected) => {
  expect(nameSome(names, count)).toBe(expected);
});
