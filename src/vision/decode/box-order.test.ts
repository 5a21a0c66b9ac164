import { describe, expect, it } from 'vitest';
import { chooseBoxOrder, isBoxOrder } from './box-order.ts';

describe('chooseBoxOrder', () => {
  it.each([
    ['configuration beats all', [0, 1, 2, 3], [2, 3, 0, 1], { order: [0, 1, 2, 3], from: 'configuration' }],
    ['then the model', null, [2, 3, 0, 1], { order: [2, 3, 0, 1], from: 'model metadata' }],
    ['then ymin, xmin, ymax, xmax', null, null, { order: [1, 0, 3, 2], from: 'default' }],
    ['a short list of the model counts as none', null, [0, 1, 2], { order: [1, 0, 3, 2], from: 'default' }],
    ['a repeating list too', null, [0, 1, 2, 2], { order: [1, 0, 3, 2], from: 'default' }],
  ] as const)('%s', (_, configured, model, choice) => {
    expect(chooseBoxOrder(configured, model)).toEqual(choice);
  });
});

it.each([
  [[3, 2, 1, 0], true],
  [[0, 1, 2, 3, 4], false],
  [[1, 2, 3, 4], false],
  [[0, 0, 1, 2], false],
  [[], false],
])('isBoxOrder(%j) is %j', (order, is) => {
  expect(isBoxOrder(order)).toBe(is);
});
