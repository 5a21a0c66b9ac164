import type { DataContext } from '../../context/data-context.ts';
import { Attempts } from '../../../kit/edits/attempts.svelte.ts';
import { addTags, addToDataset, removeFromDataset, removeTags } from '../bulk/edit-files.ts';
import { download, type Downloadable } from './download-stored.ts';
import type { StoredItem } from '../items/stored-item.ts';

/** The actions on one stored file, and why the last one failed. */
export class StoredFileEdits extends Attempts {
  readonly #context: Pick<DataContext, 'data' | 'linkTrouble'>;
  readonly #onChanged: () => void;
  isDownloading: boolean = $state(false);

  /** `onChanged`: its tags or datasets were changed */
  constructor(context: Pick<DataContext, 'data' | 'linkTrouble'>, onChanged: () => void) {
    super();
    this.#context = context;
    this.#onChanged = onChanged;
  }

  /** Replaces the file's own tags. */
  setTags({ id, tags }: StoredItem, wanted: readonly string[]): Promise<boolean> {
    const added = wanted.filter((tag) => !tags.includes(tag));
    const removed = tags.filter((tag) => !wanted.includes(tag));
    return this.#edit(async () => {
      if (added.length > 0) await addTags(this.#context, added)([id]);
      if (removed.length > 0) await removeTags(this.#context, removed)([id]);
    });
  }

  addToDataset({ id }: StoredItem, datasetId: string): Promise<boolean> {
    return this.#edit(() => addToDataset(this.#context, datasetId)([id]));
  }

  removeFromDataset({ id }: StoredItem, datasetId: string): Promise<boolean> {
    return this.#edit(() => removeFromDataset(this.#context, datasetId)([id]));
  }

  /** Saves the file to disk. */
  async download(file: Downloadable): Promise<void> {
    this.isDownloading = true;
    await this.attempt(() => download(this.#context, file));
    this.isDownloading = false;
  }

  #edit(act: () => Promise<unknown>): Promise<boolean> {
    return this.attempt(async () => {
      await act();
      this.#onChanged();
    });
  }
}
