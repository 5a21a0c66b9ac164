import { expect, it } from 'vitest';
import { boxOfPolygons } from './box-of-polygons.ts';

it.each<[string, unknown, readonly number[] | null]>([
  ['one', [[3, 9, 1, 4, 2, 12]], [1, 4, 2, 8]],
  ['several', [[3, 9, 4, 9], [1, 20, 2, 8]], [1, 8, 3, 12]],
  ['one whose last point has no y', [[3, 9, 4, 10, 99]], [3, 9, 1, 1]],
  ['a point', [[3, 9]], [3, 9, 0, 0]],
  ['numbers that are none', [[NaN, 9]], null],
  ['none', [], null],
  ['one without points', [[]], null],
  ['a text among numbers', [[1, 2], [3, '4']], null],
  ['points that are no list', [7], null],
  ['a mask', { counts: [1] }, null],
  ['nothing', undefined, null],
])('puts a box around %s', (_, segmentation, box) => {
  expect(boxOfPolygons(segmentation)).toEqual(box);
}); // prettier-ignore
