import type { ComparisonTask, SidesCompared } from '../../../../workers/backends/client.ts';

/** Runs a model on two sides in a worker of its own, which ends with the signal. */
export type CompareBackends = (
  task: ComparisonTask,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
) => Promise<SidesCompared>;

/** The comparison of backends, before its dialog is loaded. */
export class BackendsLoader {
  readonly compare: CompareBackends;
  isOpen: boolean = $state.raw(false);

  constructor(compare: CompareBackends) {
    this.compare = compare;
  }

  open(): void {
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }
}
