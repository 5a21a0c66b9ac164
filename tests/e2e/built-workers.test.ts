import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const texts = new Map(
  readdirSync('dist/assets')
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(`dist/assets/${name}`, 'utf8')]),
);

it('runs the entry of each worker once: no part of one imports it, for which WebKit would run it again', () => {
  const started = /new Worker\((?:new URL\(|\/\*.*?\*\/|\s)*[`"'](?:[^`"']*\/)?([^`"'/]+\.js)[`"']/g;
  const entries = new Set([...texts.values()].flatMap((text) => [...text.matchAll(started)].map(([, name]) => name!)));
  expect([...entries].map((name) => name.replace(/-[\w-]{8}\.js$/, ''))).toEqual(
    expect.arrayContaining(['vision', 'inference', 'data-service', 'datasets', 'feeding', 'thumbnails']),
  );
  const imported = /(?:from|import)\s*\(?\s*[`"']\.\/([^`"']+\.js)[`"']/g;
  const imports = [...texts].flatMap(([from, text]) =>
    [...text.matchAll(imported)].map(([, name]) => ({ from, name })),
  );
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.filter(({ name }) => entries.has(name!))).toEqual([]);
});
