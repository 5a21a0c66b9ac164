import { Code, ConnectError } from '@connectrpc/connect';

export interface BatchProgress {
  /** number of files whose edit has ended, whether it changed them or not */
  readonly doneCount: number;
  /** files that no longer existed or that the service refused: the others were edited */
  readonly refused: readonly { readonly id: string; readonly error: unknown }[];
}

const batchSize = 200;
/** Error codes that concern these particular files; any other error would also occur for every other batch. */
const ofTheFiles = new Set([Code.NotFound, Code.InvalidArgument, Code.FailedPrecondition, Code.PermissionDenied]);

/**
 * Edits many files in batches. The service edits a batch completely or not at all; a batch that it refuses is
 * halved until the files that cause the refusal are isolated, so that the others are edited.
 * @throws the error that ended it: the connection, a full disk, the signal; `onProgress` has reported what was done
 *   before
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
