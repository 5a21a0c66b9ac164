import type { DataContext } from '../../context/data-context.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import { addTags, addToDataset, removeFromDataset, removeTags } from '../bulk/edit-files.ts';
import { download, type Downloadable } from './download-stored.ts';
import type { StoredItem } from '../items/stored-item.ts';

/** The actions on one stored file, and why the last one failed. */
export class StoredFileEdits {
  readonly #context: Pick<DataContext, 'data' | 'linkTrouble'>;
  readonly #onChanged: () => void;
  failure = $state.raw<ErrorWords | null>(null);
  isDownloading: boolean = $state(false);

  /** `onChanged`: its tags or datasets were changed */
  constructor(context: Pick<DataContext, 'data' | 'linkTrouble'>, onChanged: () => void) {
    this.#context = context;
    this.#onChanged = onChanged;
  }

  dismiss(): void {
    this.failure = null;
  }

  /** Replaces the file's own tags. */
  setTags({ id, tags }: StoredItem, wanted: readonly string[]): Promise<void> {
    const added = wanted.filter((tag) => !tags.includes(tag));
    const removed = tags.filter((tag) => !wanted.includes(tag));
    return this.#edit(async () => {
      if (added.length > 0) await addTags(this.#context, added)([id]);
      if (removed.length > 0) await removeTags(this.#context, removed)([id]);
    });
  }

  addToDataset({ id }: StoredItem, datasetId: string): Promise<void> {
    return this.#edit(() => addToDataset(this.#context, datasetId)([id]));
  }

  removeFromDataset({ id }: StoredItem, datasetId: string): Promise<void> {
    return this.#edit(() => removeFromDataset(this.#context, datasetId)([id]));
  }

  /** Saves the file to disk. */
  async download(file: Downloadable): Promise<void> {
    this.isDownloading = true;
    await this.#attempt(() => download(this.#context, file));
    this.isDownloading = false;
  }

  #edit(act: () => Promise<unknown>): Promise<void> {
    return this.#attempt(async () => {
      await act();
      this.#onChanged();
    });
  }

  async #attempt(act: () => Promise<unknown>): Promise<void> {
    this.failure = null;
    try {
      await act();
    } catch (error) {
      this.failure = errorWords(error);
    }
  }
}
