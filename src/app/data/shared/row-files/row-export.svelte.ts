import type { RowFormat } from '../../../../base/row-files/row-file-writer.ts';
import { saveFile } from '../../../kit/layout/save-file.ts';
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

export type ExportStep =
  | { readonly kind: 'writing'; readonly taken: number; readonly written: number }
  | ({ readonly kind: 'failed' } & ErrorWords);

/** Saves rows as a file, one file at a time. */
export class RowExport {
  readonly #context: Pick<DataContext, 'writeRows' | 'announce'>;
  readonly #save: typeof saveFile;
  #abort = new AbortController();
  /** the export under way, or its failure; null: neither */
  step = $state.raw<ExportStep | null>(null);

  constructor(context: Pick<DataContext, 'writeRows' | 'announce'>, save = saveFile) {
    this.#context = context;
    this.#save = save;
  }

  get isWriting(): boolean {
    return this.step?.kind === 'writing';
  }

  /** Writes the file and saves it once it is whole. A file under way is broken off. */
  async save({ name, instants, read }: ExportedRows, format: RowFormat): Promise<void> {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    const tell = (step: ExportStep | null): void => {
      if (!signal.aborted) this.step = step;
    };
    tell({ kind: 'writing', taken: 0, written: 0 });
    try {
      const onProgress = (taken: number, written: number): void => tell({ kind: 'writing', taken, written });
      const { count, file } = await this.#context.writeRows({ format, instants }, read(signal), onProgress, signal);
      if (signal.aborted) return;
      this.#save(`${name}.${format}`, file);
      this.#context.announce(`${counted(count, 'row')} written.`);
      tell(null);
    } catch (error) {
      const words = isRefusal(error) ? { message: error.message, cure: '' } : errorWords(error);
      tell(words && { kind: 'failed', ...words });
    }
  }

  /** Breaks off what is under way, or lets go of what failed. */
  end(): void {
    this.#abort.abort();
    if (this.isWriting) this.#context.announce('Stopped. Nothing was saved.');
    this.step = null;
  }
}

const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'TooManyColumns';
