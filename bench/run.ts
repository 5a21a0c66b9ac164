import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchBrowser } from './bench-browser.ts';
import type { Figure, Measurement } from './figure.ts';

// Prints every figure in one run, medians and ratios, and fails where a bound is missed: `npm run bench`, or
// `node bench/run.ts preprocess thresholds` for some of them.

const root = fileURLToPath(new URL('..', import.meta.url));
const figures = [
  'preprocess',
  'jpeg',
  'whole-loop',
  'thresholds',
  'memory',
  'native',
  'fitted-latency',
  'fit',
  'tflite',
  'fitted-gpu',
  'start-up',
  'page-cost',
  'solver',
  'live-machine',
  'data-grid',
  'import',
  'group',
  'queries',
  'server-while-querying',
  'uploads',
  'outbox',
  'idb-uploads',
  'idb-count',
  'export-memory',
  'mixed-load',
  'wrong-keys',
  'gzip-flood',
  'slow-readers',
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !figures.includes(name));
if (unknown.length > 0) {
  console.error(`No such figure: ${unknown.join(', ')}. There are: ${figures.join(', ')}.`);
  process.exit(2);
}

if (!existsSync(`${root}bench/peers/node_modules`)) {
  // Peers only: their install scripts fetch GPU libraries that nothing here uses.
  spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: `${root}bench/peers`,
    stdio: 'inherit',
  });
}

console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}\n`);
let missed = 0;
for (const name of wanted.length > 0 ? wanted : figures) {
  const { figure } = (await import(`./figures/${name}.ts`)) as { figure: Figure };
  console.log(`${name}: ${figure.title}`);
  const browser = await benchBrowser(root);
  try {
    const tools = { ...browser, root, note: (text: string) => console.log(`  (${text})`) };
    for (const measurement of await figure.measure(tools)) print(measurement);
  } catch (error) {
    missed++;
    console.log(`  FAILED  ${(error as Error).message}`);
  } finally {
    await browser.close();
  }
  console.log();
}
if (missed > 0) console.log(`${missed} missed.`);
process.exit(missed > 0 ? 1 : 0);

function print({ name, value, unit, atMost, atLeast }: Measurement): void {
  const isMet = value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
  if (!isMet) missed++;
  const bound = atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : '';
  const verdict = bound && (isMet ? 'met' : 'MISSED');
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  console.log(
    `  ${name.padEnd(64)} ${value.toFixed(digits).padStart(8)} ${unit.padEnd(3)} ${bound.padEnd(7)} ${verdict}`,
  );
}
