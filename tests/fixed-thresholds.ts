import type { TunedThresholds } from '../src/app/evaluate/goal/tuned-thresholds.ts';
import { nothingPresent } from './present-setup.ts';

/** Thresholds of a bench that are the same for every label, and that nothing changes. */
export const fixedThresholds = (threshold: number): TunedThresholds => ({
  isOfBench: true,
  perLabel: false,
  default: threshold,
  thresholdOf: () => threshold,
  setDefault: () => undefined,
  setLabel: () => undefined,
  setEach: () => undefined,
  evidence: [],
  present: nothingPresent(),
  settle: () => undefined,
});
