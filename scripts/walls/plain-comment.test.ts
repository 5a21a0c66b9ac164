import { Linter } from 'eslint';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import { expect, it } from 'vitest';
import { plainComment } from './plain-comment.ts';

const config: Linter.Config[] = [
  ...(svelte.configs.base as Linter.Config[]),
  { files: ['**/*.ts'], languageOptions: { parser: ts.parser as Linter.Parser } },
  { files: ['**/*.svelte'], languageOptions: { parserOptions: { parser: ts.parser } } },
  { plugins: { walls: { rules: { 'plain-comment': plainComment } } }, rules: { 'walls/plain-comment': 'error' } },
];

const refused = (text: string, name = 'a.ts'): string[] =>
  new Linter().verify(text, config, name).map(({ line, message }) => `${line}: ${message}`);

const message = (line: number, words: string): string =>
  `${line}: Begin with a noun: say what this is, not "${words} …".`;

it.each([
  ['interface A {\n  /** of the file */\n  id: string;\n}', 2, 'of'],
  ['/** What is fed now. */\ntype A = string;', 1, 'What is'],
  ['/** What were counted. */\nconst a = 1;', 1, 'What were'],
  ['/**\n * As the machine reads it.\n *\n * @param a px\n */\nfunction f(a: number) {}', 1, 'As'],
  ['type A =\n  /** it breaks */\n  | 1;', 2, 'it'],
  ['class A {\n  /** Its state. */\n  a = 1;\n}', 2, 'Its'],
  ['/** they fail */\nconst a = 1;', 1, 'they'],
  ["/** it's late */\nconst a = 1;", 1, 'it'],
])('refuses %j', (text, line, words) => expect(refused(text)).toEqual([message(line, words)]));

it.each([
  '/** name of the file */\nconst a = 1;',
  '/** Items of a list. */\nconst a = 1;',
  '/** Often enough. */\nconst a = 1;',
  '/** What a camera sees. */\nconst a = 1;',
  '/** Asks again. */\nconst a = 1;',
  '/* of the file */\nconst a = 1;',
  'const a = 1; // it ends by itself',
  '// What is read here is small.\nconst a = 1;',
  'const a = "/** of the file */";',
])('lets %j', (text) => expect(refused(text)).toEqual([]));

it('reads the script of a component', () =>
  expect(refused('<script lang="ts">\n  /** its number */\n  let a = 1;\n</script>\n<p>{a}</p>', 'A.svelte')).toEqual([
    message(2, 'its'),
  ]));
