import type { DataContext } from '../../context/data-context.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import type { FilterOptions } from '../filters/filter-options.svelte.ts';
import { wordsIn } from '../filters/words-in.ts';
import type { BulkEdit, BulkEdits, EditedIds } from '../../../kit/edits/bulk-edits.svelte.ts';
import { recordedAdding, recordedRemoving, recordedTagging, recordedUntagging } from './edit-files.ts';

export type SelectionAction = 'tag' | 'untag' | 'add' | 'remove';

/** The dialog that asks for tags or a dataset before an action on the selection. */
export class SelectionQuestion {
  readonly #context: Pick<DataContext, 'data' | 'datasets' | 'home'>;
  readonly #edits: Pick<BulkEdits, 'run'>;
  readonly #options: Pick<FilterOptions, 'readTags' | 'readDatasets' | 'nameOfDataset'>;
  /** the action that is asked about; null: none */
  action = $state<SelectionAction | null>(null);
  /** Why the new dataset could not be created. */
  failure = $state.raw<ErrorWords | null>(null);
  public tags = $state.raw<readonly string[]>([]);
  /** text of the tag field that was not added yet; it counts, too */
  public typedTags = $state('');
  /** '': none yet, or a new dataset if the action adds to one */
  public datasetId = $state('');
  /** name of a new dataset */
  public newName = $state('');

  constructor(
    context: Pick<DataContext, 'data' | 'datasets' | 'home'>,
    edits: Pick<BulkEdits, 'run'>,
    options: Pick<FilterOptions, 'readTags' | 'readDatasets' | 'nameOfDataset'>,
  ) {
    this.#context = context;
    this.#edits = edits;
    this.#options = options;
  }

  /** Whether the answer is complete. */
  get isReady(): boolean {
    if (this.action === 'tag' || this.action === 'untag') return this.#allTags.length > 0;
    return this.datasetId !== '' || (this.action === 'add' && this.newName.trim() !== '');
  }

  get #allTags(): readonly string[] {
    return [...this.tags, ...wordsIn(this.typedTags).filter((tag) => !this.tags.includes(tag))];
  }

  ask(action: SelectionAction): void {
    this.action = action;
    this.failure = null;
    this.tags = [];
    this.typedTags = '';
    this.datasetId = '';
    this.newName = '';
    void (action === 'tag' || action === 'untag' ? this.#options.readTags() : this.#options.readDatasets());
  }

  drop(): void {
    this.action = null;
  }

  /**
   * Applies the action to the selection; returns whether anything was changed. The dialog stays open if a new dataset
   * could not be created.
   */
  async answer(selected: () => EditedIds): Promise<boolean> {
    const action = this.action;
    if (action === null || !this.isReady) return false;
    const edit = action === 'tag' || action === 'untag' ? this.#tagEdit(action) : await this.#datasetEdit(action);
    if (edit === null) return false;
    this.action = null;
    return await this.#edits.run(edit, selected());
  }

  #tagEdit(action: 'tag' | 'untag'): BulkEdit {
    const tags = this.#allTags;
    const quoted = tags.map((tag) => `“${tag}”`).join(', ');
    return action === 'tag'
      ? { doing: `Tagging ${quoted}`, done: `tagged ${quoted}`, ...recordedTagging(this.#context, tags) }
      : { doing: `Taking off ${quoted}`, done: `without ${quoted} now`, ...recordedUntagging(this.#context, tags) };
  }

  async #datasetEdit(action: 'add' | 'remove'): Promise<BulkEdit | null> {
    const id = this.datasetId || (await this.#createDataset());
    if (id === null) return null;
    const name = this.#options.nameOfDataset(id);
    return action === 'add'
      ? { doing: `Adding to ${name}`, done: `in dataset ${name}`, ...recordedAdding(this.#context, id) }
      : {
          doing: `Removing from ${name}`,
          done: `no longer in dataset ${name}`,
          ...recordedRemoving(this.#context, id),
        };
  }

  async #createDataset(): Promise<string | null> {
    const { datasets, home } = this.#context;
    try {
      const name = this.newName.trim();
      const { id } = await datasets.createDataset({ name, organizationId: home.organizationId });
      await this.#options.readDatasets();
      return id;
    } catch (error) {
      this.failure = errorWords(error);
      return null;
    }
  }
}
