import type { RowFormat } from '../../../../base/row-files/row-file-writer.ts';
import { saveFile } from '../../../kit/layout/save-file.ts';
import { LatestRun } from '../../../kit/runs/latest-run.svelte.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import { counted } from '../../../kit/words/figures.ts';
import type { DataContext } from '../../context/data-context.ts';

/** Rows that are to be saved as a file. */
export interface ExportedRows {
  /** without an extension */
  readonly name: string;
  /** columns whose texts are times */
  readonly instants: readonly string[];
  /** BSON documents, one behind the other */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

interface RowCounts {
  readonly taken: number;
  readonly written: number;
}

/** Saves rows as a file, one file at a time. */
export class RowExport extends LatestRun<RowCounts, ErrorWords> {
  readonly #context: Pick<DataContext, 'writeRows' | 'announce'>;
  readonly #save: typeof saveFile;

  constructor(context: Pick<DataContext, 'writeRows' | 'announce'>, save = saveFile) {
    super();
    this.#context = context;
    this.#save = save;
  }

  /** Writes the file and saves it once it is whole. A file under way is broken off. */
  async save({ name, instants, read }: ExportedRows, format: RowFormat): Promise<void> {
    await this.begin({
      first: { taken: 0, written: 0 },
      run: (tell, signal) => {
        const onProgress = (taken: number, written: number): void => tell({ taken, written });
        return this.#context.writeRows({ format, instants }, read(signal), onProgress, signal);
      },
      take: ({ count, file }) => {
        this.#save(`${name}.${format}`, file);
        this.#context.announce(`${counted(count, 'row')} written.`);
      },
      faultOf: (error) => (isRefusal(error) ? { message: error.message, cure: '' } : errorWords(error)),
    });
  }

  /** Breaks off what is under way, or lets go of what failed. */
  end(): void {
    if (this.progress) this.#context.announce('Stopped. Nothing was saved.');
    this.cancel();
    this.fault = null;
  }
}

const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'TooManyColumns';
