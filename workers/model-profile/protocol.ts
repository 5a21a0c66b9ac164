import type { Backend } from '../../src/ports/inference-runtime.ts';
import type { ModelSource } from '../../src/ports/model-source.ts';
import type { OperatorTimes } from '../../src/profile/operator-times.ts';
import type { Tensor } from '../../src/vision/tensor.ts';

/** What crosses between the page and the worker that profiles a model. Everything here survives structured cloning. */

export interface ProfileTask {
  readonly source: ModelSource;
  readonly backend: Backend;
  /** what each run is fed, by the model's own names */
  readonly feeds: Readonly<Record<string, Tensor>>;
  /** at most; a model that is slow runs less often */
  readonly runs: number;
  readonly budgetMs: number;
}

export interface ModelProfile extends OperatorTimes {
  readonly backend: Backend;
  /** WebAssembly threads */
  readonly threads: number;
  /** the page may have more than one */
  readonly isIsolated: boolean;
}
