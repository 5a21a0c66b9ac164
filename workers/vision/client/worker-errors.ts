/** The worker died during a call, whose result is lost. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
  readonly code = 'worker-crashed';
}

/** The worker was ended on purpose, since it did not react any more. */
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
