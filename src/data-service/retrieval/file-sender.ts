import { createContextKey } from '@connectrpc/connect';
import type { BinaryRecord } from '../ports/stored-captures.ts';

/** Streams the files of an answer from the disk, as fast as the client reads. */
export interface FileSender {
  /**
   * Takes files on, once there is room for them, in place of what it took before.
   *
   * @param files null: an entry that has no bytes in the answer
   * @returns which of them are there. The answer's `data` is to have an entry for each of those, in order and without bytes.
   * @throws StoreError `damaged`
   */
  take(files: readonly (BinaryRecord | null)[]): Promise<readonly boolean[]>;
}

/** null: the bytes are part of the message, as in a browser, which holds the whole message anyway */
export const fileSenderValue = createContextKey<FileSender | null>(null, {
  description: 'sends the files of an answer beside its message',
});
