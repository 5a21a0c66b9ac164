import { IndexableCollection, type Index } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { Attempts } from '../../../kit/edits/attempts.svelte.ts';
import { errorWords } from '../../../kit/words/error-words.ts';
import { indexSpec, type IndexField } from './index-text.ts';

/** The indexes of one collection: the hot store, or the sink of a pipeline. */
export class CollectionIndexes extends Attempts {
  readonly #context: Pick<DataContext, 'data' | 'home' | 'announce'>;
  #pipelineName = '';
  /** null until they are read */
  indexes = $state.raw<readonly Index[] | null>(null);

  constructor(context: Pick<DataContext, 'data' | 'home' | 'announce'>) {
    super();
    this.#context = context;
  }

  /** Reads the indexes of the sink of the named pipeline, or of the hot store if the name is ''. */
  async show(pipelineName: string, signal: AbortSignal): Promise<void> {
    this.#pipelineName = pipelineName;
    try {
      await this.#read(signal);
    } catch (error) {
      if (!signal.aborted) this.failure = errorWords(error);
    }
  }

  /** Creates an index; resolves to whether that worked. Without a name, the service derives one from the fields. */
  create(fields: readonly IndexField[], name: string): Promise<boolean> {
    const trimmed = fields.map(({ path, direction }) => ({ path: path.trim(), direction }));
    const spec = indexSpec(trimmed, name.trim());
    return this.#change(
      () => this.#context.data.createIndex({ ...this.#collection(), indexSpec: spec }),
      'Index created.',
    );
  }

  /** Deletes an index; resolves to whether that worked. */
  delete(indexName: string): Promise<boolean> {
    return this.#change(
      () => this.#context.data.deleteIndex({ ...this.#collection(), indexName }),
      `${indexName} deleted.`,
    );
  }

  #change(change: () => Promise<unknown>, done: string): Promise<boolean> {
    return this.attempt(async () => {
      await change();
      this.#context.announce(done);
      await this.#read();
    });
  }

  async #read(signal?: AbortSignal): Promise<void> {
    this.indexes = (await this.#context.data.listIndexes(this.#collection(), signal && { signal })).indexes;
  }

  #collection() {
    const { organizationId } = this.#context.home;
    if (this.#pipelineName === '') return { organizationId, collectionType: IndexableCollection.HOT_STORE };
    const { PIPELINE_SINK: collectionType } = IndexableCollection;
    return { organizationId, collectionType, pipelineName: this.#pipelineName };
  }
}
