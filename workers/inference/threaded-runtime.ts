import type { InferenceRuntime } from '../../src/ports/inference-runtime.ts';

/** A runtime on a thread of its own: a session's run() takes the feeds' values when it is called, and runs queue there. */
export interface ThreadedRuntime extends InferenceRuntime {
  /** how long the run that ended last took, without its time in the queue */
  readonly lastRunMs: number;
}
