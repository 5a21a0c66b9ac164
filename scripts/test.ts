import { ensureChromium } from './chromium.ts';
import { buildPart, runParts, testPart, type Part, type TestProject } from './run-parts.ts';
import { slowTests } from './test-times.ts';

// `npm test`: what finds most faults in five minutes. `npm run test:rest`: what it leaves out. `npm run test:all`: both, nothing
// twice; with `-- --measure` it notes in scripts/test-times.json how long each file took, which says what is left out.

/** Slow files of tests that are no part of the rest: what most else stands on. */
const quick: Readonly<Record<Exclude<TestProject, 'server' | 'engines'>, readonly string[]>> = {
  // every rule of the data service, on the stores in memory and on SQLite
  unit: ['tests/contract/data-store.test.ts'],
  browser: ['bench', 'dialogs', 'idb-data-store', 'kernel', 'threshold-drag', 'worker-link'].map(
    (name) => `tests/browser/${name}.test.ts`,
  ),
  e2e: ['tests/e2e/main-job.test.ts'],
};
const isOfUnits = (file: string): boolean => !/^tests\/(browser|server|e2e|engines)\//.test(file);
const slowUnits = slowTests().filter((file) => isOfUnits(file) && !quick.unit.includes(file));

const check = (...parts: readonly string[]): Part['command'] => ['npm', 'run', 'check', '--', ...parts];
const first: readonly Part[] = [
  { name: 'lint and types', command: check('lint', 'types') },
  testPart('unit', [], { excluded: slowUnits }),
  testPart('browser', quick.browser),
  buildPart,
  testPart('e2e', quick.e2e),
];
const rest: readonly Part[] = [
  { name: 'format and dead code', command: check('format', 'dead') },
  testPart('unit', slowUnits),
  testPart('browser', [], { excluded: quick.browser }),
  testPart('server'),
  testPart('e2e', [], { excluded: quick.e2e }),
  testPart('engines'),
];

process.env['CHROMIUM_PATH'] = ensureChromium();
const [tier = 'first', ...options] = process.argv.slice(2);
if (options.includes('--measure')) process.env['MEASURE_TESTS'] = '1';
runParts(tier === 'all' ? [...first, ...rest] : tier === 'rest' ? rest : first);
if (tier === 'first')
  console.log(`
Left out: format and dead code, ${slowUnits.length} slow files of unit and contract tests, all but ${quick.browser.length} files in Chromium and
the journeys of the main job, the tests of a served data service, and Firefox and WebKit. "npm run test:rest" runs them, "npm run test:all" everything.`);
