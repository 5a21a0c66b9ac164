import type { BlobStore, OpenBlob } from '../data-service/ports/blob-store.ts';
import type { BinaryRecord } from '../data-service/ports/capture.ts';
import { StoreError } from '../data-service/ports/store-error.ts';
import { notFound } from '../data-service/ports/store-refusals.ts';
import type { FileSender } from '../data-service/retrieval/file-sender.ts';

/** What is read at a time; divisible by three, as base64 wants it. */
const chunkBytes = 192 * 1024;
/** those of the largest page with files */
const openAtOnce = 100;
/** What an open file counts: the operating system has few, and each takes some memory. */
const openFileBytes = 64 * 1024;

interface TakenFile {
  readonly record: BinaryRecord;
  /** null: to be opened when its turn comes */
  readonly blob: OpenBlob | null;
}

/** What an answer takes of the server. */
interface AnswerMemory {
  /** aborted when the answer was sent, or its client has left */
  readonly closed: AbortSignal;
  /** Waits until there is room for so many bytes, which are held until then. */
  holdAnswer(bytes: number): Promise<void>;
}

/**
 * The files of one answer. They are opened before it begins, so that none of a page is missed that is deleted meanwhile,
 * and read chunk by chunk as its client takes them: what a slow one makes the server hold does not depend on their sizes.
 */
export class AnswerFiles implements FileSender {
  readonly #blobs: Pick<BlobStore, 'open'>;
  readonly #closed: AbortSignal;
  readonly #hold: (bytes: number) => Promise<void>;
  readonly #open = new Set<OpenBlob>();
  #taken: readonly TakenFile[] | null = null;

  constructor(blobs: Pick<BlobStore, 'open'>, memory: AnswerMemory) {
    this.#blobs = blobs;
    this.#closed = memory.closed;
    this.#hold = (bytes) => memory.holdAnswer(bytes);
    this.#closed.addEventListener('abort', () => void this.#closeAll(), { once: true });
  }

  /** In bytes, of the files taken on, in order; null: the answer has none to send. */
  get sizes(): readonly number[] | null {
    return this.#taken?.map(({ record }) => record.sizeBytes) ?? null;
  }

  async take(records: readonly BinaryRecord[]): Promise<readonly boolean[]> {
    await this.#closeAll();
    await this.#hold(2 * chunkBytes + Math.min(records.length, openAtOnce) * openFileBytes);
    const opened = await Promise.all(records.slice(0, openAtOnce).map((record) => this.#openFile(record)));
    const areThere = records.map((_, index) => index >= openAtOnce || opened[index] !== null);
    this.#taken = records
      .map((record, index) => ({ record, blob: opened[index] ?? null }))
      .filter((_, index) => areThere[index]);
    return areThere;
  }

  /**
   * The bytes of one, in chunks whose lengths are divisible by three but for the last one's.
   *
   * @throws StoreError `not-found` for one beyond the first hundred that was deleted since it was taken on
   */
  async *bytesOf(file: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const { record, blob: opened } = this.#taken![file]!;
    const blob = opened ?? (await this.#openFile(record));
    if (blob === null) throw notFound('blob', record.blobAddress);
    for (let start = 0; start < blob.sizeBytes; start += chunkBytes) {
      yield await blob.read({ start, end: Math.min(blob.sizeBytes, start + chunkBytes) });
    }
    await this.#close(blob);
  }

  /** @throws StoreError `damaged`; the reason of `closed` */
  async #openFile({ blobAddress, sizeBytes }: BinaryRecord): Promise<OpenBlob | null> {
    const blob = await this.#blobs.open(blobAddress);
    if (blob === null) return null;
    this.#open.add(blob);
    if (this.#closed.aborted) await this.#close(blob);
    this.#closed.throwIfAborted();
    if (blob.sizeBytes === sizeBytes) return blob;
    throw new StoreError('damaged', `Blob ${blobAddress} has ${blob.sizeBytes} bytes, and its row says ${sizeBytes}.`);
  }

  async #close(blob: OpenBlob): Promise<void> {
    this.#open.delete(blob);
    await blob.close();
  }

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#open].map((blob) => this.#close(blob)));
  }
}
