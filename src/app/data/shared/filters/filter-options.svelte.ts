import { DatasetType } from '../../../../gen/app/dataset/v1/dataset_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { ownTags } from '../items/stored-item.ts';

export interface NamedDataset {
  readonly id: string;
  readonly name: string;
}

/** The tags, labels and datasets to choose from in a filter. Read when the filter is opened. */
export class FilterOptions {
  readonly #context: Pick<DataContext, 'data' | 'datasets' | 'home' | 'report'>;
  tags = $state.raw<readonly string[]>([]);
  labels = $state.raw<readonly string[]>([]);
  datasets = $state.raw<readonly NamedDataset[]>([]);

  constructor(context: Pick<DataContext, 'data' | 'datasets' | 'home' | 'report'>) {
    this.#context = context;
  }

  nameOfDataset = (id: string): string => this.datasets.find((dataset) => dataset.id === id)?.name ?? id;

  async readDatasets(signal?: AbortSignal): Promise<void> {
    const { organizationId } = this.#context.home;
    try {
      const { datasets } = await this.#context.datasets.listDatasetsByOrganizationID(
        { organizationId, type: DatasetType.BINARY_DATA },
        signal ? { signal } : {},
      );
      this.datasets = datasets.map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name));
    } catch (error) {
      this.#context.report(error, 'The datasets could not be listed.');
    }
  }

  async readTags(signal?: AbortSignal): Promise<void> {
    const filter = { organizationIds: [this.#context.home.organizationId] };
    const options = signal ? { signal } : {};
    try {
      const [{ tags }, { labels }] = await Promise.all([
        this.#context.data.tagsByFilter({ filter }, options),
        this.#context.data.boundingBoxLabelsByFilter({ filter }, options),
      ]);
      this.tags = ownTags(tags).toSorted((a, b) => a.localeCompare(b));
      this.labels = labels.toSorted((a, b) => a.localeCompare(b));
    } catch (error) {
      this.#context.report(error, 'The tags could not be listed.');
    }
  }
}
