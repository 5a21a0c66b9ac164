import type { ComparisonTask, FoundDifference, SidesCompared } from '../../../../workers/backends/client.ts';

/** Runs a model on two sides in a worker of its own, which ends with the signal. */
export type CompareBackends = (
  task: ComparisonTask,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
) => Promise<SidesCompared>;

/** Finds where a model begins to differ on two sides, for the first picture, in a worker that ends with the signal. */
export type FindDifference = (
  task: ComparisonTask,
  names: { readonly reference: string; readonly other: string },
  onRun: (run: number) => void,
  signal: AbortSignal,
) => Promise<FoundDifference>;

export interface BackendsPort {
  readonly compare: CompareBackends;
  readonly findDifference: FindDifference;
}

/** The comparison of backends, before its dialog is loaded. */
export class BackendsLoader {
  readonly port: BackendsPort;
  isOpen: boolean = $state.raw(false);

  constructor(port: BackendsPort) {
    this.port = port;
  }

  open(): void {
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }
}
