import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shellScripts } from './shell-scripts.ts';

const isThere = (shell: string) => spawnSync(shell, ['-c', ':']).status === 0;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'completions-'));
  symlinkSync(resolve('bin/sightglass.js'), join(folder, 'sightglass'));
  symlinkSync(process.execPath, join(folder, 'node'));
  writeFileSync(join(folder, 'my machine.json'), '');
  mkdirSync(join(folder, 'my results'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The lines that a shell prints of a script, with the command line on its PATH. */
function linesOf(shell: string, args: readonly string[], script: string): readonly string[] {
  const path = [folder, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const { stdout, stderr } = spawnSync(shell, [...args, script], {
    cwd: folder,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').slice(0, -1);
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

// As readline asks: COMP_WORDS is parted at = and :, and $2 is what it puts the answer in the place of.
it.runIf(isThere('bash')).each([
  [
    'sightglass detect --runtime ',
    ['sightglass', 'detect', '--runtime', ''],
    '',
    ['compopt +o default', 'native', 'wasm'],
  ],
  [
    'sightglass detect --runtime=n',
    ['sightglass', 'detect', '--runtime', '=', 'n'],
    'n',
    ['compopt +o default', 'native'],
  ],
  ['sightglass  keys  cr', ['sightglass', 'keys', 'cr'], 'cr', ['compopt +o default', 'create']],
  [
    'sightglass run --out=$(touch x)',
    ['sightglass', 'run', '--out', '=', '$(touch x)'],
    '$(touch x)',
    ['compopt +o default', 'compopt -o dirnames'],
  ],
  // what is left to the shell's own completion of files
  ['sightglass detect --model v=m', ['sightglass', 'detect', '--model', 'v', '=', 'm'], 'm', []],
])('bash completes %j', (line, parts, replaced, wanted) => {
  const asked = `COMP_LINE=${quoted(line)} COMP_WORDS=(${parts.map(quoted).join(' ')}) COMP_CWORD=${parts.length - 1}`;
  const shown = `compopt() { echo compopt "$@"; }; _sightglass sightglass ${quoted(replaced)} ''; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const lines = linesOf('bash', ['--norc', '-c'], `${shellScripts.bash}\n${asked}\n${shown}\nls`);
  expect(lines.filter((one) => one !== '')).toEqual([...wanted, 'my machine.json', 'my results', 'node', 'sightglass']);
});

it.runIf(isThere('fish')).each([
  ['sightglass detect --runtime ', ['native', 'wasm']],
  ['sightglass detect --runtime=n', ['--runtime=native']],
  ['sightglass evaluate --config my', ['my machine.json', 'my results/']],
  ['sightglass run --out=my', ['--out=my results/']],
  ['sightglass keys cr', ['create']],
])('fish completes %j', (line, wanted) => {
  const lines = linesOf('fish', ['--no-config', '-c'], `${shellScripts.fish}\ncomplete -C ${quoted(line)}`);
  expect(lines.map((text) => text.split('\t')[0])).toEqual(wanted);
});

// Completion itself runs in zsh's line editor alone, so its functions say here how they are called.
it.runIf(isThere('zsh')).each([
  [
    ['detect', '--runtime', ''],
    ['compset -P ', '_describe native wasm'],
  ],
  [
    ['detect', '--runtime=n'],
    ['compset -P --runtime=', '_describe native'],
  ],
  [
    ['evaluate', '--config', 'my'],
    ['compset -P ', '_files'],
  ],
  [
    ['run', '--out=my'],
    ['compset -P --out=', '_files -/'],
  ],
  [
    ['keys', 'cr'],
    ['compset -P ', '_describe create'],
  ],
])('zsh completes %j', (typed, wanted) => {
  const says =
    'compdef() { : }; compset() { echo compset $1 "$2" }; _files() { echo _files $@ }; _describe() { echo _describe $candidates }';
  const words = ['sightglass', ...typed];
  const asked = `words=(${words.map(quoted).join(' ')}) CURRENT=${words.length} PREFIX=${quoted(words.at(-1)!)}`;
  const lines = linesOf('zsh', ['-f', '-c'], `${says}\n${shellScripts.zsh}\n${asked}\n_sightglass`);
  expect(lines).toEqual(wanted);
});
