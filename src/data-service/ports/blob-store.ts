import type { Micros } from './stored-captures.ts';

/** Bytes that were stored. */
export interface StoredBlob {
  /**
   * Identifies the bytes, and is unique to this put: two puts never share an address, so a record owns its bytes:
   * deleting needs no reference count, and nobody can find out that another organization stores the same picture. Where
   * a store can name bytes after it has read them, the address begins with their SHA-256.
   */
  readonly address: string;
  /** in hex */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A blob, and when it was put. */
export interface ListedBlob {
  readonly address: string;
  readonly timeStored: Micros;
}

/** A range of a blob's bytes: from `start` (counted from 0) up to, but not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * An open blob: its bytes can be read until it is closed, even if the blob is deleted meanwhile. A store of many hosts
 * may keep only the first MiB so; what lies behind is then `not-found`, never other bytes.
 */
export interface OpenBlob {
  readonly sizeBytes: number;
  /** The bytes of a range that lies within the blob, all of them in memory: ask for at most 1 MiB at a time. */
  read(range: ByteRange): Promise<Uint8Array<ArrayBuffer>>;
  /** Releases the open file; calling it twice is harmless. */
  close(): Promise<void>;
}

/** A SHA-256 that is being computed. */
export interface RunningHash {
  update(bytes: Uint8Array): void;
  /** Finishes the hash; in hex. */
  end(): string;
}

/** Storage of bytes, separate from the rows about them. No method holds a whole blob in memory. */
export interface BlobStore {
  /**
   * Stores the content, reading it as fast as it can be written; chunks must not change after they were read. When
   * the promise resolves, the bytes are complete and readable here; when it rejects, nothing of them is left, or, where
   * the store's answer got lost, what a sweep takes by its age. They become durable, and visible to other hosts, when a
   * record with their address is inserted at the latest: a store may write both together, and leaves nothing but what a
   * sweep takes if the host dies before. An error thrown by `content` is rethrown unchanged;
   * a full disk is `resource-exhausted`, here or when the record is inserted; an aborted signal rejects with its
   * reason.
   */
  put(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<StoredBlob>;

  /** The caller closes the blob. null: there is no such blob. */
  open(address: string): Promise<OpenBlob | null>;

  /** Starts a SHA-256 with the host's fastest implementation. */
  hash(): RunningHash;

  /** Deletes the blob; a missing one is no error. */
  delete(address: string): Promise<void>;

  /**
   * Lists all blobs and when they were put, in any order, including those of a host that died during a put: a sweep
   * compares them with the rows.
   */
  list(): AsyncIterable<ListedBlob>;
}
