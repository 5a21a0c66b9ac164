import { createContextKey } from '@connectrpc/connect';
import type { DamagedFile } from '../ports/read-file.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';

/** Called with what is wrong with the bytes of a file. */
export type OnDamaged = (error: DamagedFile) => void;

/** Streams the files of an answer from the disk, as fast as the client reads. */
export interface FileSender {
  /**
   * Takes files on, once there is room for them, in place of what it took before.
   *
   * @param files null: an entry that has no bytes in the answer
   * @param onDamaged told of each file that is found damaged before the answer begins; the entries of these have no bytes
   * @returns which of them are there. The answer's `data` is to have an entry for each of those, in order and without bytes.
   * @throws DamagedFile unless `onDamaged` is given
   */
  take(files: readonly (BinaryRecord | null)[], onDamaged?: OnDamaged): Promise<readonly boolean[]>;
}

/** null: the bytes are part of the message, as in a browser, which holds the whole message anyway */
export const fileSenderValue = createContextKey<FileSender | null>(null, {
  description: 'sends the files of an answer beside its message',
});
