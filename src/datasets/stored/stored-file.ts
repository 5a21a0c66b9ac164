import type { ListedFile } from '../dataset-item.ts';

/** What is known of a stored image before its bytes are read. */
export interface StoredName {
  /** its binary data id */
  readonly id: string;
  /** as it was uploaded, folders included where it had some */
  readonly fileName: string;
  readonly sizeBytes: number;
  /** how many boxes it has already */
  readonly boxCount: number;
}

/** A stored image in the place of a dataset's picture. */
export class StoredFile implements ListedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly id: string;
  readonly boxCount: number;
  readonly #readBytes: (id: string) => Promise<Uint8Array>;

  /** @param readBytes rejects where the image is stored no more */
  constructor({ id, fileName, sizeBytes, boxCount }: StoredName, readBytes: (id: string) => Promise<Uint8Array>) {
    this.path = fileName;
    this.sizeBytes = sizeBytes;
    this.id = id;
    this.boxCount = boxCount;
    this.#readBytes = readBytes;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    yield await this.#readBytes(this.id);
  }
}
