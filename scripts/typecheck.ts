import { spawnSync } from 'node:child_process';

// The pure folders compile without DOM and Node types: that is what keeps them pure. Journeys run on both sides.
const projects = [
  'src/vision',
  'src/onnx',
  'src/config',
  'src/datasets',
  'src/data-service',
  'src/capture',
  'src/outbox',
  'workers/service-worker',
  'tests/e2e',
  'tsconfig.node.json',
];
let failed = false;

function run(args: readonly string[]): void {
  const { status } = spawnSync('npx', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) failed = true;
}

for (const project of projects) run(['tsc', '-p', project]);
run(['svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'human']);
process.exit(failed ? 1 : 0);
