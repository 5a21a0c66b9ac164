import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const theme = readFileSync('src/app/theme.css', 'utf8');
const components = globSync('src/app/**/*.svelte').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const utilities = Array.from(
  theme.slice(theme.indexOf('* Utility classes')).matchAll(/^\.([\w.\\-]+) \{/gm),
  ([, name]) => name!.replaceAll('\\', ''),
);

/** The classes that a component styles itself. */
const ownClasses = (text: string): string[] =>
  Array.from(text.slice(text.indexOf('<style>')).matchAll(/^ [^{}:;]*\{/gm)).flatMap(([selector]) =>
    Array.from(selector.matchAll(/\.([a-z][\w-]*)/g), ([, name]) => name!),
  );

it('has no utility class that no component uses', () => {
  const words = new Set(components.flatMap(({ text }) => text.split('<style>')[0]!.split(/[\s'"`]+/)));
  expect(utilities.length).toBeGreaterThan(50);
  expect(utilities.filter((name) => !words.has(name))).toEqual([]);
});

it('has no utility class that a component gives another meaning', () => {
  const taken = components.flatMap(({ path, text }) =>
    ownClasses(text)
      .filter((name) => utilities.includes(name))
      .map((name) => `${path}: .${name}`),
  );
  expect(taken).toEqual([]);
});
