import type { BenchPlan } from '../../../../workers/vision/protocol.ts';
import type { CaptureLoader } from './capture-loader.svelte.ts';
import type { CapturedBench } from './captured-bench.ts';

/** What the parts in this folder use of the bench. */
export interface CaptureBench extends CapturedBench {
  readonly captures: CaptureLoader;
  /** what the worker has to run */
  readonly plan: BenchPlan;
}
