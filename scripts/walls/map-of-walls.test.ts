import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rooms } from './import-walls.ts';

/** Rows of the map in CONTRIBUTING.md: folder, and what it is. */
const rows = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `([^`]+)` \| ([^|]+) \|$/gm)];

it('has a row for each folder of the map in CONTRIBUTING.md, and the other way round', () => {
  const withoutCode = ['assets', 'assembly', 'docs/decisions'];
  const mapped = rows.map(([, path]) => path!).filter((path) => !withoutCode.includes(path));
  expect(mapped.sort()).toEqual(
    rooms
      .map(({ path }) => path)
      .filter((path) => path !== '.')
      .sort(),
  );
});

it.each(rows.map(([, path, what]) => ({ path, what: what! })))('says in a line what $path is', ({ what }) => {
  expect(what.length).toBeLessThanOrEqual(200);
});
