import { spawnSync } from 'node:child_process';
import { minutes } from './progress-reporter.ts';

export interface Part {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

export type TestProject = 'unit' | 'browser' | 'server' | 'e2e' | 'engines';

const namesOfProjects: Record<TestProject, string> = {
  unit: 'unit and contract tests',
  browser: 'tests in Chromium',
  server: 'tests of a served data service',
  e2e: 'journeys through the built app',
  engines: 'journeys in Firefox and WebKit',
};

/** The tests of a project: these files, or all, without the excluded ones. */
export function testPart(
  project: TestProject,
  files: readonly string[] = [],
  { excluded = [] }: { readonly excluded?: readonly string[] } = {},
): Part {
  const without = excluded.map((file) => `--exclude=${file}`);
  return {
    name: namesOfProjects[project],
    command: ['npx', 'vitest', 'run', '--project', project, ...files, ...without],
  };
}

export const buildPart: Part = { name: 'build', command: ['npm', 'run', 'build'] };

/** Runs one part after the other, says which and in the end how long each took, and ends the process at the first failure. */
export function runParts(parts: readonly Part[]): void {
  const took: string[] = [];
  const startedMs = performance.now();
  for (const [index, { name, command }] of parts.entries()) {
    console.log(`\n== ${index + 1} of ${parts.length}: ${name}`);
    const partStartedMs = performance.now();
    const [file, ...args] = command;
    const { status } = spawnSync(file, args, { stdio: 'inherit', shell: process.platform === 'win32' });
    const ranMs = performance.now() - partStartedMs;
    took.push(`${status === 0 ? 'ok    ' : 'FAILED'} ${minutes(ranMs).padStart(6)}  ${name}`);
    if (status === 0) continue;
    process.exitCode = status ?? 1;
    break;
  }
  console.log(`\n${took.join('\n')}\n       ${minutes(performance.now() - startedMs).padStart(6)}  in all`);
}
