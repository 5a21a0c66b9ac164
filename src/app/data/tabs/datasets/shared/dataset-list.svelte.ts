import { counted } from '../../../../kit/words/figures.ts';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { DatasetType } from '../../../../../gen/app/dataset/v1/dataset_pb.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { errorWords, type ErrorWords } from '../../../../kit/words/error-words.ts';

export interface ListedDataset {
  readonly id: string;
  readonly name: string;
  readonly createdMs: number | null;
  /** number of files; null until they are counted */
  readonly count: number | null;
}

type Ports = Pick<DataContext, 'data' | 'datasets' | 'home' | 'announce' | 'report'>;

const countedAtOnce = 4;

/** The organization's datasets, newest first, with the number of files of each. */
export class DatasetList {
  readonly #context: Ports;
  /** null until they are read */
  datasets = $state.raw<readonly ListedDataset[] | null>(null);
  /** Why the datasets could not be read; null if nothing failed. */
  failure = $state.raw<ErrorWords | null>(null);
  #life = new AbortController();

  constructor(context: Ports) {
    this.#context = context;
  }

  get(id: string): ListedDataset | undefined {
    return this.datasets?.find((dataset) => dataset.id === id);
  }

  async refresh(): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const { signal } = this.#life;
    const { organizationId } = this.#context.home;
    this.failure = null;
    try {
      const { datasets } = await this.#context.datasets.listDatasetsByOrganizationID(
        { organizationId, type: DatasetType.BINARY_DATA }, // those of sequences are in the tab of sequences
        { signal },
      );
      this.datasets = datasets
        .map(({ id, name, timeCreated }) => ({
          id,
          name,
          createdMs: timeCreated ? timestampDate(timeCreated).getTime() : null,
          count: this.get(id)?.count ?? null,
        }))
        .sort((a, b) => (b.createdMs ?? 0) - (a.createdMs ?? 0) || (a.name < b.name ? -1 : 1));
      await this.#countAll(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (this.datasets === null) this.failure = errorWords(error);
      else this.#context.report(error, 'The datasets could not be listed.');
    }
  }

  close(): void {
    this.#life.abort();
  }

  /** @throws ConnectError AlreadyExists, InvalidArgument for an empty name */
  async create(name: string): Promise<string> {
    const { organizationId } = this.#context.home;
    const { id } = await this.#context.datasets.createDataset({ name, organizationId });
    await this.#changed(`Dataset ${name} created.`);
    return id;
  }

  /** @throws ConnectError AlreadyExists, NotFound */
  async rename(id: string, name: string): Promise<void> {
    await this.#context.datasets.renameDataset({ id, name });
    await this.#changed(`Renamed to ${name}.`);
  }

  /** Creates a dataset with all files of the given ones. @throws ConnectError AlreadyExists, NotFound */
  async merge(ids: readonly string[], name: string): Promise<string> {
    const { organizationId } = this.#context.home;
    const { datasetId } = await this.#context.datasets.mergeDatasets({ datasetIds: [...ids], name, organizationId });
    await this.#changed(`${ids.length} datasets merged into ${name}.`);
    return datasetId;
  }

  /** Deletes datasets. Their files stay. @throws ConnectError */
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#context.datasets.deleteDataset({ id });
    await this.#changed(`${counted(ids.length, 'dataset')} deleted.`);
  }

  async #changed(sentence: string): Promise<void> {
    this.#context.announce(sentence);
    await this.refresh();
  }

  async #countAll(signal: AbortSignal): Promise<void> {
    const waiting = [...(this.datasets ?? [])];
    const countNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { id } = next;
        const count = await countFiles(this.#context, id, signal);
        if (signal.aborted) return;
        this.datasets = this.datasets?.map((one) => (one.id === id ? { ...one, count } : one)) ?? null;
      }
    };
    await Promise.all(Array.from({ length: countedAtOnce }, countNext));
  }
}

async function countFiles({ data, home }: Ports, datasetId: string, signal: AbortSignal): Promise<number> {
  const filter = { datasetId, organizationIds: [home.organizationId] };
  const { count } = await data.binaryDataByFilter({ dataRequest: { filter }, countOnly: true }, { signal });
  return Number(count);
}
