import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program in another language: its command line, or the reason why it cannot run here. */
export type Program = readonly [command: string, ...args: string[]] | { readonly missing: string };

/**
 * The command that runs a file with a Python that has packages of PyPI, `viam-sdk` where none is named; one may be named with its
 * release, as `viam-sdk==0.85.1`.
 */
export function pythonProgram(path: string, packages: readonly string[] = ['viam-sdk']): Program {
  const python = process.platform === 'win32' ? 'python' : 'python3';
  const check = `import sys
from importlib.metadata import version
for name, _, release in (package.partition("==") for package in sys.argv[1:]):
    assert release in ("", version(name))`;
  const { status } = spawnSync(python, ['-c', check, ...packages]);
  return status === 0 ? [python, path] : { missing: `needs Python with ${packages.join(', ')}` };
}

/** The modules that the Go programs in the tests and in docs/clients.md import. */
export const goModules = ['go.uber.org/zap@v1.27.0', 'go.viam.com/api@v0.1.577', 'go.viam.com/utils@v0.10.1'];

/**
 * Builds a Go program of one file. It uses only modules that this computer has already: tests download none. `atEnd`
 * receives the function that removes the program.
 */
export function goProgram(source: string, atEnd: (remove: () => void) => void): Program {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-go-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const required = goModules.map((module) => `require ${module.replace('@', ' ')}`);
  writeFileSync(join(folder, 'go.mod'), ['module example', 'go 1.25.9', ...required].join('\n'));
  writeFileSync(join(folder, 'main.go'), source);
  const env = {
    ...process.env,
    GOPROXY: 'off',
    GOSUMDB: 'off',
    GOTOOLCHAIN: 'local',
    CGO_ENABLED: '0',
    GOFLAGS: '-mod=mod -buildvcs=false',
  };
  const { status, stderr } = spawnSync('go', ['build', '-o', 'program', '.'], { cwd: folder, env, encoding: 'utf8' });
  if (status === 0) return [join(folder, 'program')];
  if (status !== null && !/GOPROXY|toolchain|requires go/.test(stderr))
    throw new Error(`Go does not build it:\n${stderr}`);
  return { missing: 'needs Go and Viam’s modules for it in its cache' };
}

/** A connected client program. */
export interface OpenClient {
  /** Makes a call. Returns `ok`, or the name of the code that it failed with. */
  call(): Promise<string>;
  close(): void;
}

/** A running program that prints lines. */
export interface ProgramLines {
  readonly child: ChildProcess;
  /** The next line of its output. @throws Error with its complaints if it ends before */
  next(): Promise<string>;
  kill(): void;
}

export function startLines(
  [command, ...args]: Extract<Program, readonly string[]>,
  env: Readonly<Record<string, string>>,
): ProgramLines {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  return { child, next: lines(child), kill: () => void child.kill('SIGKILL') };
}

/** Starts a program that prints one line once it is connected, then one line with the result for each line that it reads. */
export async function openProgram(
  program: Extract<Program, readonly string[]>,
  env: Readonly<Record<string, string>>,
): Promise<OpenClient> {
  const { child, next, kill } = startLines(program, env);
  await next();
  return {
    async call() {
      child.stdin!.write('\n');
      return codeName(await next());
    },
    close: kill,
  };
}

function lines(child: ChildProcess): () => Promise<string> {
  let [said, complaints] = ['', ''];
  const ready: string[] = [];
  const waiting: { readonly resolve: (line: string) => void; readonly reject: (error: Error) => void }[] = [];
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (said + text).split('\n');
    said = parts.pop()!;
    for (const line of parts) {
      const next = waiting.shift();
      if (next) next.resolve(line);
      else ready.push(line);
    }
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  child.on('close', () => waiting.forEach(({ reject }) => reject(new Error(`The program ended: ${complaints}`))));
  return () => {
    const line = ready.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (child.exitCode !== null) return Promise.reject(new Error(`The program ended: ${complaints}`));
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
}

/** Normalizes the name of a code: UNAUTHENTICATED and Unauthenticated are the same. */
export const codeName = (said: string): string =>
  said.toLowerCase() === 'ok'
    ? 'ok'
    : said.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
