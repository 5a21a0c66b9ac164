import { transfer } from 'comlink';
import { callOnce } from '../boundary/worker-link.ts';
import type { RowFilesApi, RowOrder, RowProgress, WrittenRows } from './api.ts';

export type { RowOrder, RowProgress, WrittenRows };

/**
 * Writes rows into a file in a worker of its own, and ends the worker. Only the rows that are under way are in memory.
 * @param rows BSON documents, one behind the other; taken as fast as they are written, and transferred
 * @throws TooManyColumns; what `rows` throws; the signal's reason when it aborts
 */
export type WriteRows = (
  order: RowOrder,
  rows: AsyncIterable<Uint8Array>,
  onProgress: RowProgress,
  signal: AbortSignal,
) => Promise<WrittenRows>;

export async function writeRows(
  startWorker: () => Worker,
  ...[order, rows, onProgress, signal]: Parameters<WriteRows>
): Promise<WrittenRows> {
  const stopped = (words: string): Error => new Error(`What writes the file stopped: ${words}. Try it again.`);
  const parts = rows[Symbol.asyncIterator]();
  let failure: { readonly error: unknown } | null = null;
  const read = () =>
    parts.next().catch((error: unknown) => {
      failure = { error }; // the worker gets a copy, which is no ConnectError any more
      throw error;
    });
  let ahead = read();
  ahead.catch(() => undefined); // met where it is awaited
  const next = async (): Promise<Uint8Array | null> => {
    const { value, done } = await ahead;
    if (done) return null;
    ahead = read();
    ahead.catch(() => undefined);
    const isWhole = value.byteLength === value.buffer.byteLength;
    return transfer(value, isWhole ? [value.buffer as ArrayBuffer] : []);
  };
  try {
    return await callOnce(startWorker, stopped, signal, (api: RowFilesApi) => api.write(order, next, onProgress));
  } catch (error) {
    throw failure === null ? error : (failure as { readonly error: unknown }).error;
  } finally {
    parts.return?.().catch(() => undefined); // what reads the rows ends with the file
  }
}
