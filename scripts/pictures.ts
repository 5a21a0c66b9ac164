import { spawnSync } from 'node:child_process';

/** Takes the pictures of the documentation, README's among them, from the built app: tests/e2e/docs-pictures.test.ts. */
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'e2e', 'tests/e2e/docs-pictures.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, SIGHTGLASS_PICTURES: 'take' },
  shell: process.platform === 'win32',
});
process.exit(status ?? 1);
