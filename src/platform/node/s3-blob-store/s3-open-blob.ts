import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { ByteRange, OpenBlob } from '../../../data-service/face/hosts.ts';
import { notFound } from '../../../data-service/face/stores.ts';
import type { S3Connection } from './s3-connection.ts';
import { askS3, failureOf, isAbsent, statusOf } from './s3-failure.ts';

/** What one request reads. Of an open blob at most the first window and two others are held. */
const windowBytes = 2 ** 20;

interface ReadBytes {
  readonly bytes: Uint8Array;
  /** size of the whole blob */
  readonly sizeBytes: number;
}

/** Opens a blob with one request, which reads the first window: pictures are rarely longer. null: it is not there. */
export async function openS3Blob(connection: S3Connection, key: string, address: string): Promise<OpenBlob | null> {
  const first = await readWindow(connection, key, 0, null);
  return first && new S3OpenBlob(connection, key, address, first);
}

class S3OpenBlob implements OpenBlob {
  readonly sizeBytes: number;
  readonly #connection: S3Connection;
  readonly #key: string;
  readonly #address: string;
  readonly #first: Uint8Array;
  readonly #closed = new AbortController();
  /** by number; the first is kept apart */
  readonly #windows = new Map<number, Promise<Uint8Array>>();
  #latest = 0;

  constructor(connection: S3Connection, key: string, address: string, first: ReadBytes) {
    this.#connection = connection;
    this.#key = key;
    this.#address = address;
    this.#first = first.bytes;
    this.sizeBytes = first.sizeBytes;
  }

  async read({ start, end }: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(end - start);
    for (let position = start; position < end;) {
      const number = Math.floor(position / windowBytes);
      const window = await this.#window(number);
      const piece = window.subarray(position - number * windowBytes, end - number * windowBytes);
      if (piece.length === 0) throw new Error(`Blob ${this.#address} ends at byte ${position}, before ${end}.`);
      bytes.set(piece, position - start);
      position += piece.length;
    }
    return bytes;
  }

  close(): Promise<void> {
    this.#closed.abort();
    this.#windows.clear();
    return Promise.resolve();
  }

  /** Who reads on in order finds the next window on its way. */
  async #window(number: number): Promise<Uint8Array> {
    const isInOrder = number === this.#latest + 1;
    this.#latest = number;
    const wanted = [number, ...(isInOrder ? [number + 1] : [])];
    for (const held of this.#windows.keys()) if (held !== number && held !== number + 1) this.#windows.delete(held);
    for (const each of wanted) {
      if (each === 0 || this.#windows.has(each) || each * windowBytes >= this.sizeBytes) continue;
      const reading = this.#read(each);
      this.#windows.set(each, reading);
      reading.catch(() => this.#windows.get(each) === reading && this.#windows.delete(each));
    }
    return number === 0 ? this.#first : this.#windows.get(number)!;
  }

  async #read(number: number): Promise<Uint8Array> {
    const read = await readWindow(this.#connection, this.#key, number * windowBytes, this.#closed.signal);
    if (read === null) throw notFound('blob', this.#address);
    return read.bytes;
  }
}

async function readWindow(
  connection: S3Connection,
  key: string,
  start: number,
  signal: AbortSignal | null,
): Promise<ReadBytes | null> {
  const { client, place } = connection;
  const object = { Bucket: place.bucket, Key: key };
  const request = { ...object, Range: `bytes=${start}-${start + windowBytes - 1}` };
  try {
    const answer = await client.send(new GetObjectCommand(request), signal === null ? {} : { abortSignal: signal });
    const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
    const sizeBytes = total === undefined ? (answer.ContentLength ?? 0) : Number(total);
    // a store that answers with all of it, although asked for a range
    if (total === undefined && (start > 0 || sizeBytes > windowBytes)) {
      (answer.Body as { destroy?(): void } | undefined)?.destroy?.();
      throw new Error('The store ignores ranges.');
    }
    return { bytes: (await answer.Body?.transformToByteArray()) ?? new Uint8Array(), sizeBytes };
  } catch (error) {
    signal?.throwIfAborted();
    if (isAbsent(error)) return null;
    // an empty object has no range
    if (start === 0 && statusOf(error) === 416) {
      const { ContentLength = 0 } = await askS3(connection, 'read a file', () =>
        client.send(new HeadObjectCommand(object)),
      );
      return { bytes: new Uint8Array(), sizeBytes: ContentLength };
    }
    throw failureOf(connection, 'read a file', error);
  }
}
