import type { Micros } from './capture.ts';

/** Bytes that were stored. */
export interface StoredBlob {
  /**
   * Names the bytes: begins with their SHA-256 and ends with something unique to this put. Two puts never share an
   * address, so a record owns its bytes: deleting needs no count of references, and nobody can learn that another
   * organization holds the same picture.
   */
  readonly address: string;
  /** in hex */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Which bytes of a blob: from `start` (counted from 0) up to but without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Bytes, apart from the rows about them. Nothing here holds a whole blob in memory. */
export interface BlobStore {
  /**
   * Stores the content, drawing it as fast as it can write; chunks that were drawn must stay as they are. When the promise resolves the bytes are durable and whole;
   * when it rejects nothing of them remains visible. An error thrown by `content` is passed on as it is; a full disk
   * is `resource-exhausted`; an aborted signal rejects with its reason.
   */
  put(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<StoredBlob>;

  /**
   * The bytes of a range (null: all), in chunks of at most 1 MiB. The range lies within the blob. `not-found` comes when
   * reading begins. Ending the iteration early frees what it holds.
   */
  read(address: string, range: ByteRange | null): AsyncIterable<Uint8Array>;

  /** Removes the blob; one that is not there is no error. */
  delete(address: string): Promise<void>;

  /**
   * All blobs and when they were put, in any order, also those left by a host that died while putting: what a sweep
   * compares with the rows.
   */
  list(): AsyncIterable<{ readonly address: string; readonly timeStored: Micros }>;
}
