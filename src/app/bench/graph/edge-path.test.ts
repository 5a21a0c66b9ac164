import { expect, it } from 'vitest';
import { edgePath } from './edge-path.ts';

const at = (x: number, y: number) => ({ x, y });

it.each([
  ['nothing', [], ''],
  ['a point', [at(1, 2)], ''],
  ['a straight edge', [at(0, 0), at(10, 20.04)], 'M0 0L10 20'],
  ['one bend, rounded to the end', [at(0, 0), at(5, 10), at(0, 20)], 'M0 0Q5 10 0 20'],
  [
    'bends, each rounded to the middle of the next',
    [at(0, 0), at(4, 10), at(8, 20), at(8, 30)],
    'M0 0Q4 10 6 15Q8 20 8 30',
  ],
])('draws %s', (_, points, path) => expect(edgePath({ points })).toBe(path));
