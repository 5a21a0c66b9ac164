import type { Backend } from '../../src/platform/ports/inference-runtime.ts';
import type { ModelSource } from '../../src/platform/ports/model-source.ts';
import type { OperatorTimes } from '../../src/models/profile/operator-times.ts';
import type { Tensor } from '../../src/machine/vision/face/feeding.ts';

/** The data that the page and the model-profile worker exchange; all of it survives structured cloning. */

export interface ProfileTask {
  readonly source: ModelSource;
  readonly backend: Backend;
  /** the feeds of each run, by the model's own tensor names */
  readonly feeds: Readonly<Record<string, Tensor>>;
  /** the largest number of runs; a slow model runs less often */
  readonly runs: number;
  readonly budgetMs: number;
}

export interface ModelProfile extends OperatorTimes {
  readonly backend: Backend;
  /** WebAssembly threads */
  readonly threads: number;
  /** whether the page is cross-origin isolated, and so may use more than one thread */
  readonly isIsolated: boolean;
}
