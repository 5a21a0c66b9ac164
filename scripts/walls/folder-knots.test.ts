import { expect, it } from 'vitest';
import { folderKnots, knotted } from './folder-knots.ts';

it('finds the nodes of every circle, and no others', () => {
  const edges = { a: ['b'], b: ['c'], c: ['b', 'd'], d: [], e: ['f'], f: ['e'] };
  expect(knotted(new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)])))).toEqual([
    'b',
    'c',
    'e',
    'f',
  ]);
});

/** How many folders of a room are in circles. A number here only falls, and a room without a circle is not named. */
const known = { 'src/platform/node': 2, 'src/remote/links': 2 };

it('has no more folders in circles than are known', () => {
  const knots = Object.entries(folderKnots(process.cwd())).map(([room, folders]) => [room, folders.length]);
  expect(Object.fromEntries(knots)).toEqual(known);
});
