import { expect, it } from 'vitest';
import { float32 } from '../../../../tests/fixed-session.ts';
import { mirrored } from './mirror.ts';

it('exchanges left and right, channels first', () => {
  const [red, green, blue] = [
    [1, 2, 3, 4, 5, 6],
    [10, 20, 30, 40, 50, 60],
    [7, 8, 9, 7, 8, 9],
  ];
  const { data, shape } = mirrored(float32([1, 3, 2, 3], [red, green, blue].flat()), 'nchw');
  expect([...data]).toEqual([3, 2, 1, 6, 5, 4, 30, 20, 10, 60, 50, 40, 9, 8, 7, 9, 8, 7]);
  expect(shape).toEqual([1, 3, 2, 3]);
});

it('exchanges left and right, channels last, and keeps the tensor it was given', () => {
  const picture = float32([1, 1, 2, 3], [1, 2, 3, 4, 5, 6]);
  expect([...mirrored(picture, 'nhwc').data]).toEqual([4, 5, 6, 1, 2, 3]);
  expect([...picture.data]).toEqual([1, 2, 3, 4, 5, 6]);
});
