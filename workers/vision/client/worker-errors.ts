/** The worker died under a call, which was lost with it. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
  readonly code = 'worker-crashed';
}

/** The worker was ended on purpose, as it heeded nothing any more. */
export class WorkerInterrupted extends Error {
  override readonly name = 'WorkerInterrupted';
  readonly code = 'worker-interrupted';
}

export function isInterrupted(error: unknown): boolean {
  return error instanceof WorkerInterrupted;
}

export function isCrash(error: unknown): boolean {
  return error instanceof WorkerCrash;
}
