import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runExample } from '../walls/run-example.ts';
import { equals } from '../walls/test-equals.ts';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/library.md');
const sections = [...readFileSync(page, 'utf8').matchAll(/^## (.+)\n\n```js\n([^]*?)^```/gm)];

/** `sightglass/vision` is `library/vision.ts`; the page itself, in whose place the examples stand, has nothing. */
async function load(path: string): Promise<object> {
  if (path === page) return {};
  return import(/* @vite-ignore */ join(root, path.replace(/^sightglass\/(\w+)$/, 'library/$1.ts')));
}

it.each(sections.map(([, title, code]) => ({ title, code: code! })))('$title', async ({ code }) => {
  const { checks, mismatches } = await runExample(code, page, load, equals);
  expect(mismatches).toEqual([]);
  expect(checks).toBeGreaterThan(0);
});

it('has an example of each of the three', () => {
  const imported = new Set(
    sections.flatMap(([, , code]) => [...code!.matchAll(/'(sightglass\/\w+)'/g)].map(([, name]) => name)),
  );
  const exported = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports).filter(
    (path) => path !== './package.json',
  );
  expect([...imported].sort()).toEqual(exported.map((path) => path.replace('.', 'sightglass')).sort());
});
