import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { Fate } from './measure-folder.ts';
import type { Mutant } from './mutants-of.ts';
import { interval, reportLines } from './report-lines.ts';

const mutant = (line: number, was: string, text: string): Mutant => ({
  path: resolve('src/a.ts'),
  line,
  was,
  edit: { start: 0, end: 1, text },
  site: { start: 0, end: 1 },
});
const fates = new Map<Mutant, Fate>([
  [mutant(1, '<', '<='), 'killed'],
  [mutant(2, 'true', 'false'), 'survived'],
  [mutant(3, 'i++', 'i--'), 'timeout'],
  [mutant(4, 'a();', ''), 'no coverage'],
]);

it('names what no test noticed, and counts what was', () => {
  expect(reportLines({ folder: 'src', all: 4, fates })).toEqual([
    'src/a.ts:2 survived: true → false',
    'src/a.ts:4 no coverage: a(); → (nothing)',
    'src: 50.0 % of all 4 noticed: 1 killed, 1 timeout, 1 survived, 1 no coverage',
  ]);
});

it('says how sure a sample is', () => {
  expect(reportLines({ folder: 'src', all: 900, fates }).at(-1)).toBe(
    'src: 50.0 % of 4 drawn from 900 (95 % sure: 15.0 % to 85.0 %) noticed: 1 killed, 1 timeout, 1 survived, 1 no coverage',
  );
});

it.each([
  // E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927).
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [180, 200, 0.8506, 0.9343],
  [0, 0, 0, 1],
])('bounds a share of %i in %i', (hits, sample, low, high) => {
  const [lowest, highest] = interval(hits, sample);
  expect(lowest).toBeCloseTo(low, 4);
  expect(highest).toBeCloseTo(high, 4);
});
