import type { DefectLog } from '../ports/defect-log.ts';
import { StoreError } from '../ports/store-error.ts';

/** A call answers after so long, and what it began goes on. */
const patienceMs = 5000;

/**
 * Waits for work on an index for a while, then lets it go on: a host that ends meanwhile takes it up when it is started again.
 * @param work under way already
 * @param operation for the log
 * @param defects told of a fault after that time; that the store ends or is away is none
 * @throws what ends the work within that time
 * @example
 * await withPatience(Promise.resolve(), 'build of an index', { report: () => {} });
 */
export async function withPatience(work: Promise<void>, operation: string, defects: DefectLog): Promise<void> {
  let isAnswered = false;
  work.catch((error: unknown) => {
    // deleted meanwhile, or the store is closed or away: it is taken up again
    if (isAnswered && !(error instanceof StoreError)) defects.report(error, { operation });
  });
  let patience: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<void>((resolve) => (patience = setTimeout(resolve, patienceMs)));
  try {
    await Promise.race([work, isOver]);
  } finally {
    isAnswered = true;
    clearTimeout(patience);
  }
}
