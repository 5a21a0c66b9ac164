import { whyAnotherRun, type RunSetup } from '../../../evidence/footage/run-setup.ts';
import type { FootageStore } from '../../../platform/ports/footage-store.ts';
import { RunFrames } from './run-frames.ts';

/**
 * The frames of a run over all of a footage that is kept and has the results of a setup; null: none is kept.
 * @throws BrowserStoreError
 */
export async function findWholeRun(
  store: FootageStore,
  fingerprint: string,
  setup: RunSetup,
): Promise<RunFrames | null> {
  const runs = await store.runs(fingerprint);
  const kept = runs.find(({ isWhole, setup: before }) => isWhole && whyAnotherRun(before, setup) === null);
  return kept ? RunFrames.of(store, kept) : null;
}
