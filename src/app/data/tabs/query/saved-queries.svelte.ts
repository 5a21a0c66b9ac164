import type { DataContext } from '../../context/data-context.ts';
import { Attempts } from '../../../kit/edits/attempts.svelte.ts';
import { BrowserQueries, type QueryStorage } from './browser-queries.svelte.ts';
import type { QueryLanguage } from './query-draft.ts';
import type { QueryCollection, CollectedQuery, Undo } from './query-collection.ts';
import { ServiceQueries } from './service-queries.svelte.ts';

/** The last change, and how to undo it. */
interface Done {
  readonly sentence: string;
  readonly undo: () => Promise<unknown> | void;
}

type Follow = (name: string) => void;
const ignore: Follow = () => undefined;

/** The saved queries of both languages. The last change can be undone. */
export class SavedQueries extends Attempts {
  readonly sql: QueryCollection;
  readonly mql: QueryCollection;
  readonly #announce: DataContext['announce'];
  done = $state.raw<Done | null>(null);

  constructor(context: Pick<DataContext, 'data' | 'home' | 'announce'>, storage: () => QueryStorage) {
    super();
    this.sql = new BrowserQueries(storage);
    this.mql = new ServiceQueries(context);
    this.#announce = context.announce;
  }

  get count(): number {
    return (this.sql.queries?.length ?? 0) + (this.mql.queries?.length ?? 0);
  }

  named(language: QueryLanguage, name: string): CollectedQuery | undefined {
    return this[language].queries?.find((query) => query.name === name);
  }

  async read(signal?: AbortSignal): Promise<void> {
    await Promise.all([this.sql.read(signal), this.mql.read(signal)]);
  }

  /** Resolves to whether it was saved. */
  save(language: QueryLanguage, name: string, text: string): Promise<boolean> {
    const replaces = this.named(language, name) !== undefined;
    return this.#do(`“${name}” ${replaces ? 'replaced' : 'saved'}.`, () => this[language].save(name, text));
  }

  /** `follow` is called with the query's new name, and with the old one if the renaming is undone. */
  rename(language: QueryLanguage, query: CollectedQuery, name: string, follow: Follow = ignore): Promise<boolean> {
    return this.#do(`“${query.name}” renamed to “${name}”.`, async () => {
      const undo = await this[language].rename(query, name);
      follow(name);
      return async () => {
        await undo();
        follow(query.name);
      };
    });
  }

  /** `follow` is called with '', and with the name if the deletion is undone. */
  delete(language: QueryLanguage, query: CollectedQuery, follow: Follow = ignore): Promise<boolean> {
    return this.#do(`“${query.name}” deleted.`, async () => {
      const undo = await this[language].delete(query);
      follow('');
      return async () => {
        await undo();
        follow(query.name);
      };
    });
  }

  /** Shows a change that another part of the tab made, with its undo. */
  tell(done: Done): void {
    this.done = done;
    this.#announce(done.sentence);
  }

  async undo(): Promise<void> {
    const done = this.done;
    this.done = null;
    if (done && (await this.attempt(done.undo))) this.#announce('Undone.');
  }

  override dismiss(): void {
    super.dismiss();
    this.done = null;
  }

  async #do(sentence: string, change: () => Promise<Undo>): Promise<boolean> {
    this.done = null;
    return this.attempt(async () => this.tell({ sentence, undo: await change() }));
  }
}
