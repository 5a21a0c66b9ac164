import type { Query } from '../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../data-context.ts';

type SavedContext = Pick<DataContext, 'data' | 'home' | 'announce'>;

/** As many as the service lists at once. */
const mostListed = 1000n;

/** The queries kept under a name, in the order of their names. */
export class SavedQueries {
  readonly #context: SavedContext;
  #queries = $state.raw<readonly Query[] | null>(null);

  constructor(context: SavedContext) {
    this.#context = context;
  }

  /** null until they are read */
  get queries(): readonly Query[] | null {
    return this.#queries;
  }

  named(name: string): Query | undefined {
    return this.#queries?.find((query) => query.name === name);
  }

  async read(signal?: AbortSignal): Promise<void> {
    const { data, home } = this.#context;
    const request = { organizationId: home.organizationId, limit: mostListed };
    const { queries } = await data.listSavedQueries(request, signal && { signal });
    this.#queries = queries.toSorted((a, b) => a.name.localeCompare(b.name));
  }

  /** Keeps stages under a name: as a new query, or in place of what the name stood for. */
  async save(name: string, mqlBinary: readonly Uint8Array[]): Promise<void> {
    const { data, home, announce } = this.#context;
    const known = this.named(name);
    if (known) await data.updateSavedQuery({ id: known.id, name, mqlBinary: [...mqlBinary] });
    else await data.createSavedQuery({ organizationId: home.organizationId, name, mqlBinary: [...mqlBinary] });
    announce(known ? `“${name}” updated.` : `“${name}” saved.`);
    await this.read();
  }

  /** Another name for the same stages, as they are kept now. */
  async rename(id: string, name: string): Promise<void> {
    const { data, announce } = this.#context;
    const { savedQuery } = await data.getSavedQuery({ id });
    await data.updateSavedQuery({ id, name, mqlBinary: savedQuery?.mqlBinary ?? [] });
    announce(`Renamed to “${name}”.`);
    await this.read();
  }

  async delete({ id, name }: Pick<Query, 'id' | 'name'>): Promise<void> {
    await this.#context.data.deleteSavedQuery({ id });
    this.#context.announce(`“${name}” deleted.`);
    await this.read();
  }

  /** Keeps a query again that was just deleted. */
  async restore({ name, mqlBinary }: Pick<Query, 'name' | 'mqlBinary'>): Promise<void> {
    await this.save(name, mqlBinary);
  }
}
