import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

// The pure folders compile without DOM and Node types: that is what keeps them pure. Journeys run on both sides.
const projects = [
  'src/vision',
  'src/onnx',
  'src/fit',
  'src/tflite',
  'src/model-graph',
  'src/config',
  'src/datasets',
  'src/data-service',
  'src/capture',
  'src/outbox',
  'src/live-machine',
  'src/account',
  'src/profile',
  'workers/service-worker',
  'tests/e2e',
  'tsconfig.node.json',
];
// The longest first, so that nothing waits for it in the end.
const checks = [
  ['svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'human'],
  ...projects.map((project) => ['tsc', '-p', project, '--pretty']),
];

/** Runs one check and says what it found once it has ended, so that two that run together do not mix their words. */
function run(args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const check = spawn('npx', args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let said = '';
    for (const stream of [check.stdout, check.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
    check.on('close', (status) => {
      if (status !== 0) console.error(`${args.join(' ')}\n${said}`);
      resolve(status === 0);
    });
  });
}

let failed = false;
async function runOneAfterTheOther(): Promise<void> {
  for (let next = checks.shift(); next; next = checks.shift()) if (!(await run(next))) failed = true;
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, runOneAfterTheOther));
process.exit(failed ? 1 : 0);
