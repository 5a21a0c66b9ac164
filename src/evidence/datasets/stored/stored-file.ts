import type { ListedFile } from '../item/dataset-item.ts';

/** The metadata of a stored image, known before its bytes are read. */
export interface StoredName {
  /** binary data id */
  readonly id: string;
  /** name at the upload, with folders if it had any */
  readonly fileName: string;
  readonly sizeBytes: number;
  /** number of its boxes */
  readonly boxCount: number;
}

/** A stored image that takes the place of a dataset's picture file. */
export class StoredFile implements ListedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly id: string;
  readonly boxCount: number;
  readonly #readBytes: (id: string) => Promise<Uint8Array>;

  /** @param readBytes rejects if the image was deleted */
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
