import { deserialize } from 'bson';
import type { Query } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { mqlText, readMql } from './mql-text.ts';
import { inOrderOfNames, type QueryCollection, type CollectedQuery, type Undo } from './query-collection.ts';

/** The most that the service lists in one answer. */
const mostListed = 1000n;

type Stages = Query['mqlBinary'];

/** MQL queries, saved in the data service for the whole organization. */
export class ServiceQueries implements QueryCollection {
  readonly language = 'mql';
  readonly #context: Pick<DataContext, 'data' | 'home'>;
  queries = $state.raw<readonly CollectedQuery[] | null>(null);

  constructor(context: Pick<DataContext, 'data' | 'home'>) {
    this.#context = context;
  }

  async read(signal?: AbortSignal): Promise<void> {
    const { data, home } = this.#context;
    const request = { organizationId: home.organizationId, limit: mostListed };
    const { queries } = await data.listSavedQueries(request, signal && { signal });
    this.queries = inOrderOfNames(queries.map(savedQueryOf));
  }

  /** @throws MqlTextError if the text is not a pipeline */
  async save(name: string, text: string): Promise<Undo> {
    const { stages } = readMql(text);
    const known = this.queries?.find((query) => query.name === name);
    if (!known) {
      const id = await this.#create(name, stages);
      return async () => void (await this.#delete(id));
    }
    const before = await this.#stagesOf(known.id);
    await this.#update(known.id, name, stages);
    return () => this.#update(known.id, name, before);
  }

  /** Renames a query. Its stages are read again first, because the service updates name and stages together. */
  async rename({ id, name: before }: CollectedQuery, name: string): Promise<Undo> {
    await this.#update(id, name, await this.#stagesOf(id));
    return async () => this.#update(id, before, await this.#stagesOf(id));
  }

  async delete({ id, name }: CollectedQuery): Promise<Undo> {
    const stages = await this.#stagesOf(id);
    await this.#delete(id);
    return async () => void (await this.#create(name, stages));
  }

  async #stagesOf(id: string): Promise<Stages> {
    return (await this.#context.data.getSavedQuery({ id })).savedQuery?.mqlBinary ?? [];
  }

  async #create(name: string, stages: Stages): Promise<string> {
    const { data, home } = this.#context;
    const { id } = await data.createSavedQuery({ organizationId: home.organizationId, name, mqlBinary: stages });
    await this.read();
    return id;
  }

  async #update(id: string, name: string, stages: Stages): Promise<void> {
    await this.#context.data.updateSavedQuery({ id, name, mqlBinary: stages });
    await this.read();
  }

  async #delete(id: string): Promise<void> {
    await this.#context.data.deleteSavedQuery({ id });
    await this.read();
  }
}

function savedQueryOf({ id, name, mqlBinary }: Query): CollectedQuery {
  const operators = mqlBinary.map((stage) => Object.keys(deserialize(stage))[0]);
  return { id, name, text: mqlText(mqlBinary), summary: operators.join(', ') };
}
