import { deserialize } from 'bson';
import { joinDocuments, splitDocuments } from './bson-rows.ts';
import { csvRows } from './csv-rows.ts';
import { parquetRows } from './parquet-rows.ts';
import { RowColumns } from './row-columns.ts';
import { jsonText, type Row } from './row-values.ts';

export type RowFormat = 'parquet' | 'csv' | 'jsonl';

/** A file for the time of an export, for rows that memory is too small for. */
export interface SpareFile {
  write(bytes: Uint8Array): void | Promise<void>;
  /** Everything written, from the beginning; nothing is written any more. */
  read(): AsyncIterable<Uint8Array>;
  /** Removes it, also while it is written or read. */
  remove(): Promise<void>;
}

export interface RowFileOptions {
  readonly format: RowFormat;
  /** columns whose texts are times of RFC 3339 */
  readonly instants?: readonly string[];
  /** CSV: texts that a spreadsheet would run as a formula get an apostrophe in front; default: true */
  readonly isForSpreadsheets?: boolean;
  /** takes the file, piece by piece */
  readonly write: (bytes: Uint8Array) => void | Promise<void>;
  readonly spareFile: () => Promise<SpareFile>;
  /** Told of each piece: rows taken, and rows written into the file. */
  readonly onProgress?: (taken: number, written: number) => void;
}

/**
 * Writes rows into a file. JSONL is written as the rows come. CSV and Parquet need the names and types of all columns first, which are
 * known after the last row only: until then the rows are kept in a spare file, and `finish` writes them from there. At most one row group
 * is in memory.
 */
export class RowFileWriter {
  readonly #options: RowFileOptions;
  readonly #columns: RowColumns;
  #spare: SpareFile | null = null;
  #taken = 0;
  #written = 0;

  constructor(options: RowFileOptions) {
    this.#options = options;
    this.#columns = new RowColumns(options.instants);
  }

  /** Adds rows: BSON documents, one behind the other. @throws TooManyColumns */
  async add(bytes: Uint8Array): Promise<void> {
    const { documents } = splitDocuments(bytes);
    if (documents.length === 0) return;
    if (this.#options.format === 'jsonl') {
      await this.#writeText(documents.map((document) => `${jsonText(rowOf(document))}\n`).join(''));
      this.#written += documents.length;
    } else {
      for (const document of documents) this.#columns.add(rowOf(document));
      this.#spare ??= await this.#options.spareFile();
      await this.#spare.write(bytes);
    }
    this.#taken += documents.length;
    this.#options.onProgress?.(this.#taken, this.#written);
  }

  /**
   * Writes what is missing. The file is whole once this resolves; `close` follows.
   * @returns how many rows the file has
   * @throws the signal's reason
   */
  async finish(signal?: AbortSignal): Promise<number> {
    const { format, write, isForSpreadsheets = true } = this.#options;
    if (format === 'parquet')
      for await (const bytes of parquetRows(this.#columns, this.#rows(signal))) await write(bytes);
    if (format === 'csv')
      for await (const text of csvRows(this.#columns, this.#rows(signal), isForSpreadsheets))
        await this.#writeText(text);
    return this.#taken;
  }

  /** Removes what was kept for a time, also of a file that is broken off. */
  async close(): Promise<void> {
    await this.#spare?.remove();
  }

  async #writeText(text: string): Promise<void> {
    await this.#options.write(new TextEncoder().encode(text));
  }

  async *#rows(signal: AbortSignal | undefined): AsyncGenerator<Row> {
    if (this.#spare === null) return;
    let left: Uint8Array = new Uint8Array();
    for await (const piece of this.#spare.read()) {
      signal?.throwIfAborted();
      const split = splitDocuments(left.length === 0 ? piece : joinDocuments([left, piece]));
      for (const document of split.documents) yield rowOf(document);
      left = split.left.slice();
      this.#written += split.documents.length;
      this.#options.onProgress?.(this.#taken, this.#written);
    }
    if (left.length > 0) throw new Error('The spare file ends within a row.');
  }
}

const rowOf = (bytes: Uint8Array): Row => deserialize(bytes);
