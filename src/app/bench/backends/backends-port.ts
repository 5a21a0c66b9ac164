import type { ComparisonTask, FoundDifference, SidesCompared } from '../../../../workers/backends/client.ts';

/** Runs a model on two sides, each call in a worker of its own, which ends with the signal. */
export interface BackendsPort {
  compareBackends(
    task: ComparisonTask,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<SidesCompared>;
  /** Finds where a model begins to differ, for the first picture. */
  findDifference(
    task: ComparisonTask,
    names: { readonly reference: string; readonly other: string },
    onRun: (run: number) => void,
    signal: AbortSignal,
  ): Promise<FoundDifference>;
}
