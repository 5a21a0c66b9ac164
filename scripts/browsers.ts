import { spawnSync } from 'node:child_process';

// Measures the tables of docs/browsers.md in the browsers that are installed, and writes them: `npm run browsers`.
const command = ['vitest', 'run', '--project', 'engines', 'tests/engines/browsers-page.test.ts'];
const env = { ...process.env, SIGHTGLASS_BROWSERS: 'write' };
const { status } = spawnSync('npx', command, { stdio: 'inherit', env, shell: process.platform === 'win32' });
process.exit(status ?? 1);
