import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Linter } from 'eslint';
import ts from 'typescript-eslint';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noImportCycle } from './no-import-cycle.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-cycle-'));
  mkdirSync(join(folder, 'face'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Lints the first of these files. */
function circles(files: Readonly<Record<string, string>>): string[] {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser: ts.parser as Linter.Parser },
    plugins: { walls: { rules: { 'no-import-cycle': noImportCycle } } },
    rules: { 'walls/no-import-cycle': 'error' },
  };
  const [[name, text]] = Object.entries(files) as [[string, string]];
  return new Linter({ cwd: folder }).verify(text, config, join(folder, name)).map(({ message }) => message);
}

it.each([
  ['of values', "import './b.ts';", "export { a } from './a.ts';"],
  ['of types', "import type { B } from './b.ts';", "export type { A } from './a.ts';"],
  ['of a type and a value', "import './b.ts';", "let a: import('./a.ts').A;"],
  ['by a dynamic import', "const b = () => import('./b.ts');", "import './a.ts';"],
])('finds a circle %s', (_, a, b) => {
  expect(circles({ 'a.ts': a, 'b.ts': b })).toEqual(['A circle of imports: a.ts → b.ts → a.ts']);
});

it('names the shortest way, through components too', () => {
  const files = {
    'a.ts': "import './c.ts';",
    'b.svelte':
      '<script module lang="ts">import \'./far.ts\';</script>\n<script lang="ts">import \'./a.ts\';</script><p>1</p>',
    'c.ts': "import type { B } from './b.svelte';",
    'far.ts': "import './a.ts';",
  };
  expect(circles(files)).toEqual(['A circle of imports: a.ts → c.ts → b.svelte → a.ts']);
});

it('finds a file that imports itself', () => {
  expect(circles({ 'a.ts': "import './a.ts';" })).toEqual(['A circle of imports: a.ts → a.ts']);
});

const face = "export { a } from '../a.ts'; export { b } from '../b.ts'; export { c } from '../c.ts';";

it('looks behind a face, at the file that declares what is taken', () => {
  const files = { 'a.ts': "import { b } from './face/f.ts';", 'b.ts': "import { a } from './face/f.ts';" };
  expect(circles({ ...files, 'c.ts': '', 'face/f.ts': face })).toEqual(['A circle of imports: a.ts → b.ts → a.ts']);
});

it.each([
  [
    'another name of the same face',
    {
      'a.ts': "import { b } from './face/f.ts';",
      'b.ts': "import { c } from './face/f.ts';",
      'c.ts': '',
      'face/f.ts': face,
    },
  ],
  ['two ways to one file', { 'a.ts': "import './b.ts'; import './c.ts';", 'b.ts': "import './c.ts';", 'c.ts': '' }],
  [
    'a circle that it does not belong to',
    { 'a.ts': "import './b.ts';", 'b.ts': "import './c.ts';", 'c.ts': "import './b.ts';" },
  ],
  ['a worker that it starts by URL', { 'a.ts': "new URL('./b.ts', import.meta.url);", 'b.ts': "import './a.ts';" }],
  ['what is not there', { 'a.ts': "import './gone.ts'; import 'vitest';" }],
])('leaves %s alone', (_, files) => {
  expect(circles(files)).toEqual([]);
});
