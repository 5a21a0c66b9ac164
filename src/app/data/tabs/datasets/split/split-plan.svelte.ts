import type { Split } from '../../../../../evidence/datasets/face/items.ts';
import { TagsFilterType } from '../../../../../gen/app/data/v1/data_pb.ts';
import type { MemoryPort } from '../../../../kit/memory/remembered.ts';
import type { DataContext } from '../../../context/data-context.ts';
import type { BulkEdits } from '../../../../kit/edits/bulk-edits.svelte.ts';
import type { DatasetReading } from '../shared/dataset-reading.svelte.ts';
import {
  emptySplits,
  mendEmptySplits,
  planSplits,
  splitNames,
  type PlannedSplits,
  type SplitMend,
} from './plan-splits.ts';
import { isUsable, recallSplit, rememberSplit, type SplitSettings } from './split-settings.ts';
import type { StoredPicture } from '../../../annotate/saving/stored-pictures.ts';

/** The assignment of a dataset's pictures to splits. */
export class SplitPlan {
  readonly #context: Pick<DataContext, 'data' | 'home'>;
  readonly #reading: DatasetReading;
  readonly #memory: MemoryPort;
  readonly #datasetId: string;
  settings: SplitSettings = $state.raw()!;
  #isTagged = $state(false);

  constructor(
    context: Pick<DataContext, 'data' | 'home'>,
    reading: DatasetReading,
    memory: MemoryPort,
    datasetId: string,
  ) {
    this.#context = context;
    this.#reading = reading;
    this.#memory = memory;
    this.#datasetId = datasetId;
    this.settings = recallSplit(memory, datasetId);
  }

  /** Whether the dataset is split: as the person chose, otherwise whether its pictures have tags of splits from an import. */
  get isOn(): boolean {
    return this.settings.isOn ?? this.#isTagged;
  }

  /** If the person has not chosen whether to split, asks the service whether any picture is tagged train, val or test. */
  async findTags(): Promise<void> {
    if (this.settings.isOn !== null) return;
    const tagsFilter = { type: TagsFilterType.MATCH_BY_OR, tags: [...splitNames] };
    const filter = { datasetId: this.#datasetId, organizationIds: [this.#context.home.organizationId], tagsFilter };
    const { count } = await this.#context.data.binaryDataByFilter({ dataRequest: { filter }, countOnly: true });
    this.#isTagged = count > 0n;
  }

  /** null until the pictures are read, and while the dataset is not split */
  readonly planned: PlannedSplits | null = $derived.by(() => {
    const { pictures, nearDuplicates } = this.#reading;
    return this.isOn && pictures ? planSplits(pictures, nearDuplicates, this.settings) : null;
  });

  /** Splits with a share above 0 that got no images. */
  readonly empty: readonly Split[] = $derived(this.planned ? emptySplits(this.planned, this.settings) : []);

  /** The change that fills the empty splits; null if none is empty, or there are too few images. */
  readonly mend: SplitMend | null = $derived.by(() => {
    const { pictures, nearDuplicates } = this.#reading;
    return this.empty.length > 0 && pictures ? mendEmptySplits(pictures, nearDuplicates, this.settings) : null;
  });

  /** The split of a picture; null if the dataset is not split, or the file is not a picture. */
  of(id: string): Split | null {
    return this.planned?.splits.get(id) ?? null;
  }

  /** Changes the settings and stores them for the next visit. Invalid settings are ignored. */
  change(changes: Partial<SplitSettings>): void {
    const next = { ...this.settings, ...changes };
    if (!isUsable(next)) return;
    this.settings = next;
    rememberSplit(this.#memory, this.#datasetId, next);
  }

  /** Stores the splits as tags: adds the tag of its split to each picture, and removes the tags of other splits. */
  async storeAsTags(edits: BulkEdits): Promise<void> {
    const { planned } = this;
    const pictures = this.#reading.pictures ?? [];
    if (!planned) return;
    for (const split of splitNames) {
      const wrong = pictures.filter(
        ({ contentId, tags }) => tags.includes(split) && planned.splits.get(contentId) !== split,
      );
      const lacking = pictures.filter(
        ({ contentId, tags }) => !tags.includes(split) && planned.splits.get(contentId) === split,
      );
      await this.#edit(edits, wrong, `without “${split}” now`, (ids) =>
        this.#context.data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [...ids], tags: [split] }),
      );
      await this.#edit(edits, lacking, `tagged “${split}”`, (ids) =>
        this.#context.data.addTagsToBinaryDataByIDs({ binaryDataIds: [...ids], tags: [split] }),
      );
    }
  }

  async #edit(
    edits: BulkEdits,
    pictures: readonly StoredPicture[],
    done: string,
    edit: (ids: readonly string[]) => Promise<unknown>,
  ): Promise<void> {
    const ids = pictures.map(({ contentId }) => contentId);
    if (ids.length > 0) await edits.run({ doing: 'Tagging', done, edit }, { count: ids.length, ids });
  }
}
