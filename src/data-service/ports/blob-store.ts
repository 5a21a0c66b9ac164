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

/** A blob that was opened: its bytes stay as they are until it is closed, also where the blob is deleted meanwhile. */
export interface OpenBlob {
  readonly sizeBytes: number;
  /** The bytes of a range that lies within the blob, all of them in memory: ask for at most 1 MiB at a time. */
  read(range: ByteRange): Promise<Uint8Array<ArrayBuffer>>;
  /** Gives up what it holds, as a file of the operating system; once more is no error. */
  close(): Promise<void>;
}

/** A SHA-256 in the making. */
export interface RunningHash {
  update(bytes: Uint8Array): void;
  /** Ends it. In hex. */
  end(): string;
}

/** Bytes, apart from the rows about them. Nothing here holds a whole blob in memory. */
export interface BlobStore {
  /**
   * Stores the content, drawing it as fast as it can write; chunks that were drawn must stay as they are. When the promise resolves the bytes are whole and
   * can be read here; when it rejects nothing of them remains visible. They are durable, and there for other hosts, once a record
   * that names the address is inserted: a store may write both at once, and a host that ends before has left nothing then.
   * An error thrown by `content` is passed on as it is; a full disk is `resource-exhausted`, here or when the record is inserted;
   * an aborted signal rejects with its reason.
   */
  put(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<StoredBlob>;

  /** Whoever opens closes. null: there is no such blob. */
  open(address: string): Promise<OpenBlob | null>;

  /** Begins a SHA-256, in the fastest way that the host has. */
  hash(): RunningHash;

  /** Removes the blob; one that is not there is no error. */
  delete(address: string): Promise<void>;

  /**
   * All blobs and when they were put, in any order, also those left by a host that died while putting: what a sweep
   * compares with the rows.
   */
  list(): AsyncIterable<{ readonly address: string; readonly timeStored: Micros }>;
}
