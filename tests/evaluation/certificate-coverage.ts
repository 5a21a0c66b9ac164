import type { Claim } from '../../src/evidence/certificate/certificate.ts';
import { countClaim, fewestForPrecision } from '../../src/evidence/certificate/count-claim.ts';
import { countsAt, ratesOf } from '../../src/evidence/evaluation/sweep/label-sweep.ts';
import { worlds } from './seeded-worlds.ts';

const threshold = 0.5;
const labels = ['cup'];

export interface CertifiedRuns {
  readonly figure: Claim['figure'];
  readonly confidence: number;
  readonly unitCount: number;
  readonly runs: number;
  /** how many units tell what is true elsewhere */
  readonly elsewhereCount: number;
}

/** On seeded draws from a world: how often a claim that is false elsewhere would be certified, however little it is false by. */
export function falselyCertifiedOn(
  name: keyof typeof worlds,
  { figure, confidence, unitCount, runs, elsewhereCount }: CertifiedRuns,
): number {
  const real = ratesOf(countsAt(worlds[name](999_999, elsewhereCount).sweep, threshold))[figure]!;
  let wrong = 0;
  for (let run = 1; run <= runs; run++) {
    const { sweep, units } = worlds[name](15_485_863 * run + unitCount, unitCount);
    const boxes = { sweeps: [sweep], labels, thresholds: [threshold], units };
    const found = countClaim({ figure, label: 'cup', atLeast: real }, boxes, confidence);
    if (!found || (figure === 'precision' && found.counted.units < fewestForPrecision)) continue;
    if (found.counted.bound > real + 1e-9) wrong++;
  }
  return wrong;
}
