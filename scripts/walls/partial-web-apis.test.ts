import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import ts from 'typescript-eslint';
import { expect, it } from 'vitest';
import { noPartialWebApi, partialWebApis } from './partial-web-apis.ts';

function refused(text: string, path = 'src/app/a.ts'): string[] {
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser: ts.parser as Linter.Parser },
    plugins: { walls: { rules: { 'no-partial-web-api': noPartialWebApi } } },
    rules: { 'walls/no-partial-web-api': 'error' },
  };
  return new Linter({ cwd: '/project' })
    .verify(text, config, join('/project', path))
    .map(({ message }) => message.slice(0, message.indexOf(':')));
}

it.each([
  ['await navigator.locks.request("a", run);', 'pages over plain http lack navigator.locks'],
  ['window.navigator.storage.persist();', 'WebKitGTK, and pages over plain http lack navigator.storage'],
  ['requestIdleCallback(run);', 'WebKit lack requestIdleCallback'],
  ['window.requestIdleCallback(run);', 'WebKit lack requestIdleCallback'],
  ['new MediaStreamTrackProcessor({ track });', 'Firefox and WebKit lack MediaStreamTrackProcessor'],
  ['item.getAsFileSystemHandle?.();', 'Firefox and WebKit lack getAsFileSystemHandle'],
  ['const is = "showOpenFilePicker" in globalThis;', 'Firefox and WebKit lack showOpenFilePicker'],
])('refuses %s', (text, message) => expect(refused(text)).toEqual([message]));

it.each([
  'bench.storage.measure();',
  'database.locks;',
  'const keyboard = 1;',
  'ports.gpu;',
  'const a = { storage: 1 };',
])('lets %s', (text) => expect(refused(text)).toEqual([]));

it('lets a file use what it has a second way for, and nothing else', () => {
  const path = 'src/platform/browser/locks/hold-name.ts';
  expect(refused('navigator.locks;', path)).toEqual([]);
  expect(refused('navigator.storage;', path)).toHaveLength(1);
});

it.each(partialWebApis.flatMap(({ name, files = [] }) => files.map((file) => [file, name] as const)))(
  'finds in %s that it uses %s',
  (file, name) => {
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8').replaceAll('?.', '.')).toContain(name);
  },
);
