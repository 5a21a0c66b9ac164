import { spawnSync } from 'node:child_process';

// npm run mutation [folder or file …]: breaks the rules of the folders, one at a time, and counts how many a test notices.
const folders = ['src/vision', 'src/outbox', 'src/data-service/{access,query,pipelines}', 'src/datasets'];

const asked = process.argv.slice(2);
const mutated = (asked.length > 0 ? asked : folders).map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`));
const args = [
  'stryker',
  'run',
  'scripts/mutation/stryker.config.json',
  '--mutate',
  [...mutated, '!**/*.test.ts'].join(),
];
const { status } = spawnSync('npx', args, { stdio: 'inherit', shell: process.platform === 'win32' });
process.exit(status ?? 1);
