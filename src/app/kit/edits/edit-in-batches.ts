import { Code, ConnectError } from '@connectrpc/connect';

export interface BatchProgress {
  /** whose edit is over, whether it did something or not */
  readonly doneCount: number;
  /** that were not there any more, or that the service refused: the rest was edited */
  readonly refused: readonly { readonly id: string; readonly error: unknown }[];
}

const batchSize = 200;
/** Answers that say something about these very files; others would come for every batch. */
const ofTheFiles = new Set([Code.NotFound, Code.InvalidArgument, Code.FailedPrecondition, Code.PermissionDenied]);

/**
 * Edits many files, some at a time. The service takes a batch all or not at all; one that it refuses is halved until the
 * files that it is about are alone, so that they do not keep the others from being edited.
 * @throws what ended it: the connection, a full disk, the signal; `onProgress` has told what was done till then
 */
export async function editInBatches(
  ids: Iterable<string> | AsyncIterable<string>,
  edit: (ids: readonly string[]) => Promise<unknown>,
  signal: AbortSignal,
  onProgress: (progress: BatchProgress) => void,
): Promise<BatchProgress> {
  let progress: BatchProgress = { doneCount: 0, refused: [] };
  const tell = (doneCount: number, refused: BatchProgress['refused']): void => {
    progress = { doneCount: progress.doneCount + doneCount, refused: [...progress.refused, ...refused] };
    onProgress(progress);
  };

  async function editSome(some: readonly string[]): Promise<void> {
    signal.throwIfAborted();
    try {
      await edit(some);
      tell(some.length, []);
    } catch (error) {
      if (!ofTheFiles.has(ConnectError.from(error).code)) throw error;
      if (some.length === 1) return tell(1, [{ id: some[0]!, error }]);
      const half = Math.ceil(some.length / 2);
      await editSome(some.slice(0, half));
      await editSome(some.slice(half));
    }
  }

  let batch: string[] = [];
  for await (const id of ids) {
    batch.push(id);
    if (batch.length < batchSize) continue;
    await editSome(batch);
    batch = [];
  }
  if (batch.length > 0) await editSome(batch);
  return progress;
}
