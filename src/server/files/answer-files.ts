import { DamagedFile, type FileStores, type OpenBlob, openFile, provenBytes } from '../../data-service/face/hosts.ts';
import type { BinaryRecord } from '../../data-service/face/captures.ts';
import { notFound } from '../../data-service/face/stores.ts';
import type { FileSender, OnDamaged } from '../../data-service/face/files.ts';

/** Bytes that are read at a time; divisible by three, as base64 wants it. */
const chunkBytes = 192 * 1024;
/** those of the largest page with files */
const openAtOnce = 100;
/** Memory that an open file counts as: the operating system has few, and each takes some. */
const openFileBytes = 64 * 1024;

/** So many bytes of an answer are proven before it begins, and its files beyond them on their way. */
const provenAtFirstBytes = 2 ** 20;

interface TakenFile {
  /** null: none of its bytes are sent */
  readonly record: BinaryRecord | null;
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
  readonly #store: FileStores;
  readonly #suspects: Set<string>;
  readonly #closed: AbortSignal;
  readonly #hold: (bytes: number) => Promise<void>;
  readonly #open = new Set<OpenBlob>();
  #taken: readonly TakenFile[] | null = null;

  /** @param suspects addresses of blobs that were found damaged: they are proven before an answer with them begins */
  constructor(store: FileStores, memory: AnswerMemory, suspects: Set<string>) {
    this.#store = store;
    this.#suspects = suspects;
    this.#closed = memory.closed;
    this.#hold = (bytes) => memory.holdAnswer(bytes);
    this.#closed.addEventListener('abort', () => void this.#closeAll(), { once: true });
  }

  /** In bytes, of the files taken on, in order; null: the answer has none to send. */
  get sizes(): readonly number[] | null {
    return this.#taken?.map(({ record }) => record?.sizeBytes ?? 0) ?? null;
  }

  async take(files: readonly (BinaryRecord | null)[], onDamaged?: OnDamaged): Promise<readonly boolean[]> {
    await this.#closeAll();
    await this.#hold(2 * chunkBytes + Math.min(files.length, openAtOnce) * openFileBytes);
    const records = [...files];
    const leaveOut = (index: number) => (error: unknown) => {
      if (!onDamaged || !(error instanceof DamagedFile)) throw error;
      onDamaged(error);
      records[index] = null;
    };
    const opened = await Promise.all(
      files.slice(0, openAtOnce).map(async (file, index) => {
        if (file === null) return null;
        return (await this.#openFile(file).catch(leaveOut(index))) ?? null;
      }),
    );
    const areThere = records.map((record, index) => index >= openAtOnce || record === null || opened[index] !== null);
    await this.#proveFirst(records, opened, leaveOut);
    this.#taken = records
      .map((record, index) => ({ record, blob: opened[index] ?? null }))
      .filter((_, index) => areThere[index]);
    return areThere;
  }

  /**
   * The bytes of one, in chunks whose lengths are divisible by three but for the last one's.
   *
   * @throws StoreError `not-found` for one beyond the first hundred that was deleted since it was taken on, `damaged` before the
   *   last chunk of one whose bytes are not those that were stored
   */
  async *bytesOf(file: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const { record, blob: opened } = this.#taken![file]!;
    if (record === null) return;
    const blob = opened ?? (await this.#openFile(record));
    if (blob === null) throw notFound('blob', record.blobAddress);
    yield* this.#proven(record, blob);
    await this.#close(blob);
  }

  async #proveFirst(
    records: readonly (BinaryRecord | null)[],
    opened: readonly (OpenBlob | null)[],
    leaveOut: (index: number) => (error: unknown) => void,
  ): Promise<void> {
    let bytes = 0;
    for (const [index, blob] of opened.entries()) {
      if (blob === null) continue;
      const record = records[index]!;
      bytes += record.sizeBytes;
      if (bytes > provenAtFirstBytes && !this.#suspects.has(record.blobAddress)) continue;
      const prove = async (): Promise<void> => {
        for await (const _ of this.#proven(record, blob)) this.#closed.throwIfAborted();
        this.#suspects.delete(record.blobAddress);
      };
      await prove().catch(leaveOut(index));
    }
  }

  async *#proven(record: BinaryRecord, blob: OpenBlob): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    try {
      yield* provenBytes(blob, record, this.#store.blobs.hash(), chunkBytes);
    } catch (error) {
      this.#suspects.add(record.blobAddress);
      throw error;
    }
  }

  /** @throws StoreError `damaged`; the reason of `closed` */
  async #openFile(record: BinaryRecord): Promise<OpenBlob | null> {
    const blob = await openFile(this.#store, record);
    if (blob === null) return null;
    this.#open.add(blob);
    if (this.#closed.aborted) await this.#close(blob);
    this.#closed.throwIfAborted();
    return blob;
  }

  async #close(blob: OpenBlob): Promise<void> {
    this.#open.delete(blob);
    await blob.close();
  }

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#open].map((blob) => this.#close(blob)));
  }
}
