import { DatasetType } from '../../../../gen/app/dataset/v1/dataset_pb.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import type { DataContext } from '../../context/data-context.ts';
import { listedSequence, type ListedSequence } from './listed-sequence.ts';

interface NamedDataset {
  readonly id: string;
  readonly name: string;
}

type Ports = Pick<DataContext, 'data' | 'datasets' | 'home' | 'announce' | 'report'>;

const pageSize = 200;

/** The organization's sequences, newest first, or those of one dataset; read as far as they are shown. */
export class SequenceList {
  readonly #context: Ports;
  /** null until the first are read */
  sequences = $state.raw<readonly ListedSequence[] | null>(null);
  /** the datasets of sequences, by name */
  datasets = $state.raw<readonly NamedDataset[]>([]);
  /** '': the sequences of all datasets and of none */
  datasetId: string = $state('');
  /** why the first could not be read */
  failure = $state.raw<ErrorWords | null>(null);
  #nextPageToken = '';
  /** one that was created for a sequence which could not be added to it yet */
  #createdDataset: NamedDataset | null = null;
  #isReading = false;
  #life = new AbortController();

  constructor(context: Ports) {
    this.#context = context;
  }

  get(id: string): ListedSequence | undefined {
    return this.sequences?.find((sequence) => sequence.id === id);
  }

  /** Reads the list from its beginning; what is shown stays until then. */
  async refresh(): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.failure = null;
    this.#nextPageToken = '';
    try {
      const [page] = await Promise.all([this.#page('', signal), this.#readDatasets(signal)]);
      this.#nextPageToken = page.nextPageToken;
      this.sequences = page.sequences.map(listedSequence);
    } catch (error) {
      if (!signal.aborted) this.failure = errorWords(error);
    }
  }

  /** Shows the sequences of one dataset, or all of them. */
  async choose(datasetId: string): Promise<void> {
    this.datasetId = datasetId;
    this.sequences = null;
    await this.refresh();
  }

  /** Reads the next page once rows near the end of those that are read come into sight. */
  async sight(end: number): Promise<void> {
    const { signal } = this.#life;
    if (this.#isReading || this.#nextPageToken === '' || end < (this.sequences?.length ?? 0) - pageSize / 2) return;
    this.#isReading = true;
    try {
      const page = await this.#page(this.#nextPageToken, signal);
      if (signal.aborted) return;
      this.#nextPageToken = page.nextPageToken;
      this.sequences = [...(this.sequences ?? []), ...page.sequences.map(listedSequence)];
    } catch (error) {
      if (!signal.aborted) this.#context.report(error, 'Further sequences could not be listed.');
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads one sequence that the list may not have yet. @throws ConnectError */
  async read(id: string, signal: AbortSignal): Promise<ListedSequence> {
    const { sequence } = await this.#context.data.getSequence({ id }, { signal });
    return listedSequence(sequence!);
  }

  /** @throws ConnectError */
  async delete(id: string): Promise<void> {
    await this.#context.data.deleteSequence({ id });
    this.#context.announce('The sequence is deleted.');
    await this.refresh();
  }

  /** Adds a sequence to a dataset, or to a new one of this name. @throws ConnectError */
  async addTo(sequenceId: string, datasetId: string, newName: string): Promise<void> {
    const id = datasetId || (await this.#createDataset(newName));
    await this.#context.data.addSequencesToDataset({ datasetId: id, sequenceIds: [sequenceId] });
    this.#createdDataset = null;
    await this.refresh();
    this.#context.announce(`Added to ${this.nameOf(id)}.`);
  }

  /** The id of a new dataset, which is created once, also if it is asked for again because the next step failed. */
  async #createDataset(name: string): Promise<string> {
    if (this.#createdDataset?.name !== name) {
      const { organizationId } = this.#context.home;
      const asked = { organizationId, name, type: DatasetType.SEQUENCE_DATA };
      this.#createdDataset = { id: (await this.#context.datasets.createDataset(asked)).id, name };
    }
    return this.#createdDataset.id;
  }

  /** @throws ConnectError */
  async removeFrom(sequenceId: string, datasetId: string): Promise<void> {
    await this.#context.data.removeSequencesFromDataset({ datasetId, sequenceIds: [sequenceId] });
    this.#context.announce(`Removed from ${this.nameOf(datasetId)}.`);
    await this.refresh();
  }

  /** Deletes the chosen dataset; its sequences stay. @throws ConnectError */
  async deleteDataset(): Promise<void> {
    await this.#context.datasets.deleteDataset({ id: this.datasetId });
    this.#context.announce('The dataset is deleted.');
    await this.choose('');
  }

  nameOf = (datasetId: string): string => this.datasets.find(({ id }) => id === datasetId)?.name ?? datasetId;

  close(): void {
    this.#life.abort();
  }

  #page(pageToken: string, signal: AbortSignal) {
    const { data, home } = this.#context;
    const page = { pageSize, pageToken };
    return this.datasetId === ''
      ? data.listSequences({ organizationId: home.organizationId, ...page }, { signal })
      : data.sequencesByDatasetID({ datasetId: this.datasetId, ...page }, { signal });
  }

  async #readDatasets(signal: AbortSignal): Promise<void> {
    const { organizationId } = this.#context.home;
    const asked = { organizationId, type: DatasetType.SEQUENCE_DATA };
    const { datasets } = await this.#context.datasets.listDatasetsByOrganizationID(asked, { signal });
    if (!signal.aborted) this.datasets = datasets.map(({ id, name }) => ({ id, name }));
  }
}
