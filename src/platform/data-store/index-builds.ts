import { StoreError } from '../../data-service/face/stores.ts';

const toldEveryMs = 5000;

/** How far an index is while it is built: rows indexed, of about so many. */
export interface IndexProgress {
  readonly organizationId: string;
  readonly index: string;
  readonly rows: number;
  readonly of: number;
}

interface Build {
  readonly organizationId: string;
  readonly name: string;
  /** how many rows there are to be indexed, about */
  count(): Promise<number>;
  /** Indexes some rows; returns how many, null at the end. */
  turn(): Promise<number | null>;
}

/** The long work on indexes that goes on in this process, by index: each once, however often it is asked for. */
export class IndexBuilds {
  readonly #running = new Map<string, Promise<void>>();
  readonly #progress = new Map<string, Pick<IndexProgress, 'rows' | 'of'>>();
  #isClosed = false;
  /** called every few seconds while an index is built, and at its end */
  onProgress: (progress: IndexProgress) => void = () => undefined;

  /** Rows that wait to be indexed, of all indexes. */
  get rowsLeft(): number {
    return [...this.#progress.values()].reduce((sum, { rows, of }) => sum + Math.max(0, of - rows), 0);
  }

  /** How far a build of this process is; null: there is none. */
  progressOf(id: string): Pick<IndexProgress, 'rows' | 'of'> | null {
    return this.#progress.get(id) ?? null;
  }

  /** Builds an index, or waits for the build that goes on. @throws StoreError `unavailable` when the store is closed before */
  build(id: string, build: Build): Promise<void> {
    return this.#once(id, () => this.#build(id, build));
  }

  /** Repeats `turn` until it returns 0. @throws StoreError `unavailable` when the store is closed before */
  async inTurns(turn: () => Promise<number>): Promise<void> {
    do {
      if (this.#isClosed)
        throw new StoreError('unavailable', 'The server ends; it goes on with this index when it is started again.');
    } while ((await turn()) > 0);
  }

  /** Ends what goes on after its turn. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running.values());
  }

  #once(id: string, work: () => Promise<void>): Promise<void> {
    let running = this.#running.get(id);
    if (running === undefined) {
      running = work().finally(() => {
        this.#running.delete(id);
        this.#progress.delete(id);
      });
      this.#running.set(id, running);
    }
    return running;
  }

  async #build(id: string, { organizationId, name, count, turn }: Build): Promise<void> {
    const of = await count();
    let [rows, toldMs] = [0, performance.now()];
    const tell = (): void => this.onProgress({ organizationId, index: name, rows, of: Math.max(of, rows) });
    await this.inTurns(async () => {
      this.#progress.set(id, { rows, of: Math.max(of, rows) });
      const indexed = await turn();
      rows += indexed ?? 0;
      if (indexed === null || performance.now() - toldMs >= toldEveryMs) {
        toldMs = performance.now();
        tell();
      }
      return indexed === null ? 0 : 1;
    });
  }
}
