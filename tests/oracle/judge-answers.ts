import { departures } from './cases/departures.ts';
import { differenceOf, isRefused } from './compare-answers.ts';
import type { Answered } from './run-cases.ts';

export interface Verdict {
  readonly kind: 'equal' | 'both refuse' | 'differs on purpose' | 'unexplained';
  /** the difference between the answers, or the departure that explains it; '' if they are equal */
  readonly why: string;
}

export function verdictOf(answered: Answered): Verdict {
  const { seeded, machine, here } = answered;
  const difference = differenceOf(machine, here, seeded.tensorsOnly);
  if (difference === null) return { kind: isRefused(machine) ? 'both refuse' : 'equal', why: '' };
  const departure = departures.find(({ explains }) => explains?.(answered));
  if (departure) return { kind: 'differs on purpose', why: departure.name };
  return { kind: 'unexplained', why: difference };
}

/** `412 equal, 80 both refuse, 8 differ on purpose, 0 unexplained (seed 1)`. */
export function summaryOf(verdicts: readonly Verdict[], seed: number): string {
  const count = (kind: Verdict['kind']) => verdicts.filter((verdict) => verdict.kind === kind).length;
  return (
    `${count('equal')} equal, ${count('both refuse')} both refuse, ${count('differs on purpose')} differ on purpose, ` +
    `${count('unexplained')} unexplained (seed ${seed})`
  );
}
