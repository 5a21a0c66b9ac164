import type { PresentSetup } from '../src/machine/config/evidence/threshold-evidence.ts';

/** A bench without a service, with which no evidence is compared. */
export const nothingPresent = (): PresentSetup => ({
  config: { cameras: [], visionServices: [] },
  visionName: null,
  steps: [],
  labels: null,
  sha256: null,
});
