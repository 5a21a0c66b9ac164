import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { binPath } from './server-process.ts';

export interface Answered {
  /** null: it was killed */
  readonly code: number | null;
  /** the objects on stdout */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly stderr: string;
}

export interface RunningCommand {
  readonly stderr: () => string;
  readonly ended: Promise<Answered>;
  kill(): void;
}

type Environment = Readonly<Record<string, string>>;

/** Starts a command with the given variables beside those of this process; it is killed at the end of the test. */
export function startSightglass(argv: readonly string[], environment: Environment = {}): RunningCommand {
  const child = spawn(process.execPath, [binPath, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = once(child, 'close') as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  return {
    stderr: () => stderr,
    kill: () => void child.kill('SIGKILL'),
    ended: closed.then(([code]) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      return { code, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), stderr };
    }),
  };
}

/** Runs a command and waits for its exit. */
export const runSightglass = (argv: readonly string[], environment: Environment = {}): Promise<Answered> =>
  startSightglass(argv, environment).ended;
