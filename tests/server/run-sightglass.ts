import { execFile } from 'node:child_process';
import { binPath } from './server-process.ts';

export interface Answered {
  readonly code: number;
  /** the objects on stdout */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly stderr: string;
}

/** Runs a command with the given variables beside those of this process, and waits for its exit. */
export function runSightglass(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    execFile(process.execPath, [binPath, ...argv], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), stderr });
    });
  });
}
