import type { OpenBlob, RunningHash } from './blob-store.ts';
import type { BinaryRecord } from './stored-captures.ts';
import type { DataStore } from './data-store.ts';
import { rangeBytes } from './range-bytes.ts';
import { StoreError } from './store-error.ts';

export type FileStores = Pick<DataStore, 'binary' | 'blobs'>;

/**
 * Opens the bytes of a file. The caller closes them.
 * @param stores records and blobs
 * @param record the file's row
 * @returns the open bytes; null: the file was deleted since its row was read
 * @throws StoreError damaged, with the file's id as subject, where the row exists but its bytes are missing or have
 *   another length
 * @example
 * const blobs = { open: async () => ({ sizeBytes: 4 }) };
 * (await openFile({ blobs }, { blobAddress: 'b', sizeBytes: 4 })).sizeBytes; // => 4
 */
export async function openFile({ binary, blobs }: FileStores, record: BinaryRecord): Promise<OpenBlob | null> {
  const blob = await blobs.open(record.blobAddress);
  if (blob === null) {
    // rows are deleted before their bytes
    const [row] = await binary.get(record.organizationId, [record.id]);
    if (row === null || row === undefined) return null;
    throw new DamagedFile(record, 'lost', 'are lost');
  }
  if (blob.sizeBytes === record.sizeBytes) return blob;
  await blob.close();
  throw new DamagedFile(record, 'resized', `are ${blob.sizeBytes}, and ${record.sizeBytes} were stored`);
}

/**
 * Reads all bytes of a file in chunks. The last chunk comes only after the SHA-256 of all bytes was compared with the
 * upload's, so a complete file is an undamaged one.
 * @param blob the open bytes
 * @param record the file's row, with its SHA-256
 * @param hash a SHA-256 that has seen nothing yet
 * @param chunkBytes size of a chunk
 * @returns the chunks in order
 * @throws StoreError `damaged` instead of the last chunk
 * @example
 * const chunks = provenBytes({ sizeBytes: 0 }, { sha256: '' }, { update() {}, end: () => '' }, 1024);
 * await chunks.next(); // => { done: true, value: undefined }
 */
export async function* provenBytes(
  blob: OpenBlob,
  record: BinaryRecord,
  hash: RunningHash,
  chunkBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let left = blob.sizeBytes;
  for await (const chunk of rangeBytes(blob, { start: 0, end: left }, chunkBytes)) {
    hash.update(chunk);
    left -= chunk.length;
    if (left === 0 && hash.end() !== record.sha256)
      throw new DamagedFile(record, 'changed', 'are others than were stored');
    yield chunk;
  }
}

/**
 * The fault of a file's bytes: they are missing, there are more or fewer, or they differ from the
 * upload.
 */
export type FileFault = 'lost' | 'resized' | 'changed';

export class DamagedFile extends StoreError {
  readonly fault: FileFault;

  constructor({ id, blobAddress }: BinaryRecord, fault: FileFault, how: string) {
    const advice =
      '"sightglass check" lists all such files; take them from a backup, or delete them. The disk may be failing.';
    super('damaged', `The bytes of file ${id} ${how} (blob ${blobAddress}). ${advice}`, { subject: id });
    this.fault = fault;
  }
}
