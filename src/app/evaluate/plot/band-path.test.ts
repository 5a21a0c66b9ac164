import { expect, it } from 'vitest';
import { bandPath } from './band-path.ts';

const area = { width: 100, height: 10 };
const at = (x: number, low: number, high: number) => ({ x, low, high });

it.each([
  ['nothing', [], ''],
  ['nothing known', [null, null], ''],
  ['one stretch', [at(0, 0, 1), at(0.5, 0.5, 1)], 'M0.0 0.0L50.0 0.0L50.0 5.0L0.0 10.0Z'],
  [
    'a gap, of which nothing is said',
    [null, at(0, 0, 1), null, null, at(0.5, 0.5, 1), null],
    'M0.0 0.0L0.0 10.0ZM50.0 0.0L50.0 5.0Z',
  ],
])('draws %s', (_, points, path) => {
  expect(bandPath(points, area)).toBe(path);
});
