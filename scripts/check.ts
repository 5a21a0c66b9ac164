import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// Format, dead code, lint and types: `npm run check`, or some of them by name: `npm run check -- lint types`. What each
// tool found for a file is kept in build/cache, and used again while the file and the tool's settings stay as they are.

const cache = 'build/cache';
const binOf = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

/** A cache that ends with what it depends on: ESLint compares settings, but not the code of our own rules. */
const ruleFiles = readdirSync('scripts/walls').map((name) => `scripts/walls/${name}`);
const rulesHash = createHash('sha256');
for (const path of ['eslint.config.js', ...ruleFiles.sort()]) rulesHash.update(readFileSync(path));
const eslintCache = `${cache}/eslint-${rulesHash.digest('hex').slice(0, 16)}`;

// The pure folders compile without DOM and Node types: that is what keeps them pure. Journeys run on both sides.
const projects = [
  'tsconfig.node.json',
  'tests/e2e',
  'tests/engines',
  'workers/service-worker',
  'scripts/docs/site',
  'src/data-service',
  ...['capture', 'certificate', 'datasets', 'drift', 'evaluation', 'footage', 'replay'].map(
    (room) => `src/evidence/${room}`,
  ),
  ...['config', 'vision'].map((room) => `src/machine/${room}`),
  ...['fit', 'model-graph', 'onnx', 'profile', 'tflite'].map((room) => `src/models/${room}`),
  ...['account', 'live-machine', 'outbox'].map((room) => `src/remote/${room}`),
  ...['mp4', 'row-files', 'streams'].map((room) => `src/base/${room}`),
];

interface Check {
  readonly part: 'format' | 'dead' | 'lint' | 'types';
  /** arguments of Node */
  readonly run: readonly string[];
}

// The longest first, so that nothing waits for it in the end.
const checks: readonly Check[] = [
  {
    part: 'lint',
    run: [binOf('eslint/bin/eslint.js'), '.', '--max-warnings', '0', '--cache', '--cache-location', eslintCache],
  },
  {
    part: 'format',
    run: [
      binOf('prettier/bin/prettier.cjs'),
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-location',
      `${cache}/prettier`,
      '.',
    ],
  },
  {
    part: 'types',
    run: [
      binOf('svelte-check/bin/svelte-check'),
      '--tsgo',
      '--incremental',
      '--tsconfig',
      './tsconfig.json',
      '--fail-on-warnings',
      '--output',
      'human',
    ],
  },
  // What needs types of all files: asked of a linter that reads them once and fast.
  { part: 'lint', run: [binOf('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'] },
  ...projects.map((project): Check => ({
    part: 'types',
    run: [binOf('@typescript/native/bin/tsc'), '-p', project, '--pretty'],
  })),
  { part: 'dead', run: knip(`${cache}/knip`) },
  { part: 'dead', run: knip(`${cache}/knip-production`, '--production', '--include', 'files,exports,types') },
];
function knip(location: string, ...options: readonly string[]): string[] {
  return [binOf('knip/bin/knip.js'), '--no-progress', '--cache', '--cache-location', location, ...options];
}

/** Runs a check and says what it found once it has ended, so that two that run together do not mix their words. */
function run({ part, run: args }: Check): Promise<boolean> {
  const name = [part, ...args.map((arg) => arg.replace(/.*\/node_modules\/((@[^/]+\/)?[^/]+).*/, '$1'))].join(' ');
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const check = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [check.stdout, check.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
    check.on('close', (status) => {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(6)} s  ${name}`);
      if (status !== 0) console.error(said);
      resolve(status === 0);
    });
  });
}

const parts = process.argv.slice(2);
const unknown = parts.filter((part) => !checks.some((check) => check.part === part));
if (unknown.length > 0) {
  console.error(`No check is called ${unknown.join(', ')}: format, dead, lint and types are.`);
  process.exit(2);
}
const waiting = checks.filter(({ part }) => parts.length === 0 || parts.includes(part));
let failed = false;
async function runOneAfterTheOther(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) if (!(await run(next))) failed = true;
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, runOneAfterTheOther));
process.exit(failed ? 1 : 0);
