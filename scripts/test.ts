import { spawnSync } from 'node:child_process';
import { ensureChromium } from './chromium.ts';

// All tests: unit and contract, then real Chromium, then a real server, then journeys on the built app.
process.env['CHROMIUM_PATH'] = ensureChromium();

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

run('npx', ['vitest', 'run', '--project', 'unit']);
run('npx', ['vitest', 'run', '--project', 'browser']);
run('npm', ['run', 'build']);
run('npx', ['vitest', 'run', '--project', 'server', '--passWithNoTests']);
run('npx', ['vitest', 'run', '--project', 'e2e']);
