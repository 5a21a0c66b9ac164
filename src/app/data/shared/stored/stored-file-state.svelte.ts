import type { BinaryMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { openFailureWords, type ErrorWords } from '../../../kit/words/error-words.ts';

/** The stored file that is shown. */
export class StoredFileState {
  readonly #context: Pick<DataContext, 'data'>;
  /** null until it is read */
  metadata = $state.raw<BinaryMetadata | null>(null);
  failure = $state.raw<ErrorWords | null>(null);
  #id = '';

  constructor(context: Pick<DataContext, 'data'>) {
    this.#context = context;
  }

  /** Shows a file; the previous one disappears at once. */
  async show(id: string): Promise<void> {
    this.#id = id;
    this.metadata = null;
    this.failure = null;
    await this.refresh();
  }

  /** Reads the metadata again; the old metadata stays until then. */
  async refresh(): Promise<void> {
    const id = this.#id;
    try {
      const { data } = await this.#context.data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: false });
      if (this.#id === id) this.metadata = data[0]?.metadata ?? null;
    } catch (error) {
      if (this.#id === id) this.failure = openFailureWords(error);
    }
  }
}
