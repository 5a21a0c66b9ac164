import type { DatasetClient } from '../../../../../../workers/datasets/client.ts';
import { pagesOf, type StoredPicture } from '../../../annotate/saving/stored-pictures.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { emptyFilter, wireFilter, type DataFilter } from '../../../shared/filters/data-filter.ts';
import { filterChips } from '../../../shared/filters/filter-chips.ts';
import { isNarrowed } from '../../../shared/filters/narrow-items.ts';
import { imageTypes } from '../../../shared/stored/tab-media-types.ts';
import { DatasetReading } from './dataset-reading.svelte.ts';

type Ports = Pick<DataContext, 'data' | 'home' | 'report'>;

/** Which images are compared with a reference: those of a dataset, or all that match a filter. */
export class LaterImages {
  readonly #context: Ports;
  readonly #engine: Pick<DatasetClient, 'knownScans' | 'scan' | 'groupNearDuplicates'>;
  readonly #dataset: DatasetReading;
  #filtered = $state.raw<DatasetReading | null>(null);
  filter = $state.raw<DataFilter>(emptyFilter);
  kind: 'dataset' | 'filter' = $state('dataset');

  constructor(
    context: Ports,
    engine: Pick<DatasetClient, 'knownScans' | 'scan' | 'groupNearDuplicates'>,
    dataset: DatasetReading,
  ) {
    this.#context = context;
    this.#engine = engine;
    this.#dataset = dataset;
  }

  /** The images that are compared, with their scans. */
  readonly reading: DatasetReading = $derived.by(() =>
    this.kind === 'filter' && this.#filtered ? this.#filtered : this.#dataset,
  );

  async choose(kind: 'dataset' | 'filter'): Promise<void> {
    this.kind = kind;
    if (kind === 'filter' && !this.#filtered) await this.setFilter(this.filter);
  }

  /** Reads what matches. */
  async setFilter(filter: DataFilter): Promise<void> {
    this.filter = filter;
    this.#filtered?.close();
    this.#filtered = new DatasetReading(this.#context, this.#engine, (signal) =>
      matching(this.#context, filter, signal),
    );
    await this.#filtered.read();
  }

  /** What a person calls the images. */
  nameOf(datasetName: string, nameOfDataset: (id: string) => string): string {
    if (this.kind === 'dataset') return datasetName;
    const conditions = filterChips(this.filter, nameOfDataset).map(({ name, value }) => `${name} ${value}`);
    return conditions.length > 0 ? `the filter ${conditions.join(', ')}` : 'all images';
  }

  close(): void {
    this.#filtered?.close();
  }
}

async function* matching(
  { data, home }: Ports,
  filter: DataFilter,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredPicture[]> {
  const asked = wireFilter(filter, home.organizationId, imageTypes);
  for await (const page of pagesOf(data, asked, signal)) yield page.filter((picture) => isMeant(picture, filter));
}

function isMeant({ fileName: name, sizeBytes, boxes }: StoredPicture, filter: DataFilter): boolean {
  return isNarrowed({ name, sizeBytes, boxes: boxes.map(({ confidence = null }) => ({ confidence })) }, filter);
}
