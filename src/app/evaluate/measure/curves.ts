import { type LabelSweep, metricsAt, type Rates } from '../../../evidence/evaluation/face/sweep.ts';

/** Rates at evenly spaced thresholds from 0 to 1; what a plot of some hundred pixels can show. */
export interface Curves {
  readonly threshold: readonly number[];
  readonly rates: readonly Rates[];
}

const STEPS = 200;

/** The rates of these labels together, as if all of them had the same threshold. */
export function curvesOf(sweeps: readonly LabelSweep[]): Curves {
  const threshold = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS);
  const labelCount = Math.max(0, ...sweeps.map(({ label }) => label + 1));
  const thresholds = new Float64Array(labelCount);
  return { threshold, rates: threshold.map((value) => metricsAt(sweeps, thresholds.fill(value)).total) };
}
