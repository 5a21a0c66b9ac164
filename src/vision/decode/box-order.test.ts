import { expect, it } from 'vitest';
import { isBoxOrder } from './box-order.ts';

it.each([
  [[3, 2, 1, 0], true],
  [[0, 1, 2, 3, 4], false],
  [[1, 2, 3, 4], false],
  [[0, 0, 1, 2], false],
  [[], false],
])('isBoxOrder(%j) is %j', (order, is) => {
  expect(isBoxOrder(order)).toBe(is);
});
