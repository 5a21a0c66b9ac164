import { spawnSync } from 'node:child_process';
import { ensureChromium } from './chromium.ts';

// Lets each client write its column of the table in docs/data-service.md: what passes is what it then says. The column of a client
// that this computer lacks, as Python's or Go's, stays as it is: its tests are skipped.
process.env['CHROMIUM_PATH'] = ensureChromium();
process.env['SIGHTGLASS_TABLE'] = 'write';

const tests: Readonly<Record<string, readonly string[]>> = {
  server: [
    'viam-sdk',
    'python-sdk',
    'grpc-js',
    'connect-clients',
    'go-clients',
    'mongodb-client',
    'downloads',
    'operation-table',
  ],
  browser: ['viam-sdk', 'operations'],
};
for (const [project, names] of Object.entries(tests)) {
  const files = names.map((name) => `tests/${project}/${name}.test.ts`);
  const command = ['vitest', 'run', '--project', project, ...files];
  const { status } = spawnSync('npx', command, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
