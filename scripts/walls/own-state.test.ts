import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Linter } from 'eslint';
import ts from 'typescript-eslint';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownState, ownStateNames } from './own-state.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-state-'));
  mkdirSync(join(folder, 'src/app'), { recursive: true });
  writeFileSync(
    join(folder, 'src/app/run.svelte.ts'),
    'class Run {\n  isOn = $state(false);\n  public name = $state("");\n}\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function refused(text: string): string[] {
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser: ts.parser as Linter.Parser },
    plugins: { walls: { rules: { 'own-state': ownState } } },
    rules: { 'walls/own-state': 'error' },
  };
  return new Linter({ cwd: folder }).verify(text, config, join(folder, 'a.ts')).map(({ message }) => message);
}

it.each([
  'run.isOn = true;',
  'bench.run.isOn ||= true;',
  'run.isOn++;',
  'class A { a() { this.#run.isOn = true; } #run; }',
])('refuses %s', (text) =>
  expect(refused(text)).toEqual(['Only its class assigns isOn: call a method, or declare the field "public isOn".']),
);

it.each(['run.name = "";', 'run.other = 1;', 'class Run { a() { this.isOn = true; } }', 'if (run.isOn === true) a();'])(
  'lets %s',
  (text) => expect(refused(text)).toEqual([]),
);

it('reads fields with a type, of every rune of state, and no private ones', () => {
  const text = `class A {
  rows: readonly Row[] = $state.raw([]);
  choice = $state<'a' | 'b'>('a');
  long: Map<string, number> =
    $state.raw(new Map());
  count = $derived(1);
  #own = $state(0);
  public open = $state(false);
}`;
  expect([...ownStateNames([text, 'class B {\n  choice = $state(0);\n  public count = $state(0);\n}'])]).toEqual([
    'rows',
    'choice',
    'long',
  ]);
  expect(ownStateNames([text, 'class B {\n  public rows = $state([]);\n}']).has('rows')).toBe(false);
});
