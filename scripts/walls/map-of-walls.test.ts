import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rooms } from './import-walls.ts';

const [, map, rest] = readFileSync('CONTRIBUTING.md', 'utf8').split(/^## The map$|^### Rooms$/m);
/** Rows of a table in CONTRIBUTING.md: folder, and what it is. */
const rowsOf = (text: string) => [...text.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)];
const rows = rowsOf(rest!.split(/^## /m)[0]!);

it('has a row for each room of CONTRIBUTING.md, and the other way round', () => {
  const withoutCode = ['assets', 'assembly', 'docs/decisions'];
  const mapped = rows.map(([, path]) => path!).filter((path) => !withoutCode.includes(path));
  expect(mapped.sort()).toEqual(
    rooms
      .map(({ path }) => path)
      .filter((path) => path !== '.')
      .sort(),
  );
});

it('lists what lies in src, in at most ten folders beside what is generated', () => {
  const listed = rowsOf(map!).map(([, path]) => path!);
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(listed.sort()).toEqual(folders.map(({ name }) => `src/${name}`).sort());
  expect(listed.filter((path) => path !== 'src/gen').length).toBeLessThanOrEqual(10);
});

it.each([...rowsOf(map!), ...rows].map(([, path, what]) => ({ path, what: what! })))(
  'says in a line what $path is',
  ({ what }) => {
    expect(what.length).toBeLessThanOrEqual(200);
  },
);
