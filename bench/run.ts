import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchBrowser } from './bench-browser.ts';
import type { Figure, Measurement } from './figure.ts';

// Measures all figures and prints medians and ratios: `npm run bench`, or `node bench/run.ts preprocess thresholds` for some
// of them. Fails if a bound is exceeded.

const root = fileURLToPath(new URL('..', import.meta.url));
const figures = readdirSync(`${root}bench/figures`)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !figures.includes(name));
if (unknown.length > 0) {
  console.error(`No such figure: ${unknown.join(', ')}. There are: ${figures.join(', ')}.`);
  process.exit(2);
}

if (!existsSync(`${root}bench/peers/node_modules`)) {
  // Installs the peers without their install scripts, which download GPU libraries that are not used here.
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
  const loadBefore = loadAverage();
  let place = 'at its start';
  const at = (now: string) => void (place = now);
  const browser = await benchBrowser(root, at);
  try {
    const tools = { ...browser, root, at, note: (text: string) => console.log(`  (${text})`) };
    const measurements = await within(figure.limitMinutes ?? 15, figure.measure(tools), () => place);
    for (const measurement of measurements) print(measurement);
  } catch (error) {
    missed++;
    console.log(`  FAILED  ${(error as Error).message}`);
  } finally {
    await browser.close();
  }
  console.log(`  (load average of a minute: ${loadBefore} before, ${loadAverage()} after)\n`);
}
if (missed > 0) console.log(`${missed} missed.`);
process.exit(missed > 0 ? 1 : 0);

function loadAverage(): string {
  return loadavg()[0]!.toFixed(1);
}

/** @throws if the work exceeds the time limit, with its last progress */
async function within<T>(minutes: number, work: Promise<T>, place: () => string): Promise<T> {
  let limit: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error(`not done after ${minutes} min: it stood ${place()}`)), minutes * 60_000);
  });
  work.catch(() => undefined); // after a timeout the work rejects when its browser is closed: ignore that
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(limit);
  }
}

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
