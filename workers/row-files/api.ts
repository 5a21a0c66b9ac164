import { spareBlob } from '../../src/platform/browser/bytes/spare-blob.ts';
import { RowFileWriter, type RowFormat } from '../../src/base/row-files/row-file-writer.ts';

/** A file of rows that is to be written. */
export interface RowOrder {
  readonly format: RowFormat;
  /** columns whose texts are times of RFC 3339 */
  readonly instants: readonly string[];
}

export interface WrittenRows {
  readonly count: number;
  readonly file: Blob;
}

/** Rows taken so far, and rows in the file so far. */
export type RowProgress = (taken: number, written: number) => void;

export type RowFilesApi = ReturnType<typeof createRowFilesApi>;

/** Writes rows into a file, in a worker that lives only for that. */
export function createRowFilesApi() {
  return {
    /**
     * @param next some more rows: BSON documents, one behind the other; null: there are no more
     * @throws TooManyColumns; what `next` throws
     */
    async write(
      order: RowOrder,
      next: () => Promise<Uint8Array | null>,
      onProgress: RowProgress,
    ): Promise<WrittenRows> {
      const file = spareBlob();
      const spareFile = async () => spareBlob();
      const writer = new RowFileWriter({ ...order, write: (bytes) => file.write(bytes), spareFile, onProgress });
      for (let bytes = await next(); bytes !== null; bytes = await next()) await writer.add(bytes);
      const count = await writer.finish();
      return { count, file: await file.blob() };
    },
  };
}
