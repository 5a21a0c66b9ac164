import { expect, it } from 'vitest';
import { isChannelsFirst } from './channels-first.ts';

it.each([
  [[1, 3, 240, 320], true],
  [[-1, 3, -1, -1], true],
  [[1, 3, 3, 3], true],
  [[1, 240, 320, 3], false],
  [[3, 3, 64, 64], false],
  [[1, 1, 28, 28], false],
  [[1, -1, -1, -1], false],
  [[], false],
])('%j: %s', (shape, expected) => {
  expect(isChannelsFirst(shape)).toBe(expected);
});
