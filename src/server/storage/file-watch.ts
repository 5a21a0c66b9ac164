import { checkFile, checkFiles } from '../../data-service/face/files.ts';
import type { CheckPosition, DataStore, KeptCheckState } from '../../data-service/face/stores.ts';
import type { DamagedFile } from '../../data-service/face/hosts.ts';
import { organizationOf } from '../../data-service/face/wire.ts';
import type { Log } from '../http/log.ts';
import type { StoreHealth } from './store-health.ts';

/** How fast files are checked, unless told otherwise: some 350 GB a day. */
export const defaultCheckBytesPerSecond = 4 * 2 ** 20;

const operation = 'check of files';
const dayMs = 24 * 60 * 60 * 1000;
/** Between the end of a check and the beginning of the next one. */
const pauseMs = dayMs;
/** After a failure of the store. */
const retryMs = 60_000;
/** While calls wait for the store, the check goes at a tenth of its speed. */
const slowerWhileBusy = 10;
/** Finding and opening a file is work, too, however small it is. */
const openingBytes = 16 * 1024;
/** Shorter waits are added up. */
const leastWaitMs = 20;
const keptEveryMs = 30_000;
const mostKeptDamaged = 1000;

export interface WatchTimer {
  /** the time of day */
  nowMs(): number;
  /** @throws when `signal` is aborted */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Compares the bytes of all stored files with their SHA-256, again and again and slowly, while a server runs. Each file that
 * is found damaged is reported once. How far the check has come is kept, so that a later server goes on from there.
 */
export class FileWatch {
  readonly #store: DataStore;
  readonly #health: StoreHealth;
  readonly #kept: KeptCheckState;
  readonly #bytesPerSecond: number;
  readonly #isBusy: () => boolean;
  readonly #timer: WatchTimer;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #owedMs = 0;

  /** @param isBusy whether calls wait for the store, which go before */
  constructor(
    { store, health, log }: { readonly store: DataStore; readonly health: StoreHealth; readonly log: Log },
    kept: KeptCheckState,
    {
      bytesPerSecond,
      isBusy,
      timer,
    }: { readonly bytesPerSecond: number; readonly isBusy: () => boolean; readonly timer: WatchTimer },
  ) {
    this.#store = store;
    this.#health = health;
    this.#log = log;
    this.#kept = kept;
    this.#bytesPerSecond = bytesPerSecond;
    this.#isBusy = isBusy;
    this.#timer = timer;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when it reads nothing more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let isFirst = true;
    while (!this.#stopping.signal.aborted) {
      try {
        if (isFirst) await this.#lookAgain((await this.#kept.read()).damaged);
        isFirst = false;
        await this.#checkAll();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#health.report(error, { operation });
        await this.#wait(retryMs).catch(() => undefined);
      }
    }
  }

  async #checkAll(): Promise<void> {
    const before = await this.#kept.read();
    let { after } = before;
    if (before.timeEnded !== null) {
      // a clock that was set back makes nobody wait for longer
      await this.#wait(Math.min(pauseMs, before.timeEnded / 1000 + pauseMs - this.#timer.nowMs()));
      await this.#keep((after = null));
    }
    let [files, keptMs] = [0, this.#timer.nowMs()];
    try {
      for await (const { record, damage, position } of checkFiles(this.#store, after, this.#pace)) {
        after = position;
        files++;
        const isNews = this.#tell(record.id, damage);
        await this.#pace(openingBytes);
        if (!isNews && this.#timer.nowMs() - keptMs < keptEveryMs) continue;
        keptMs = this.#timer.nowMs();
        await this.#keep(after);
      }
    } catch (error) {
      await this.#keep(after);
      throw error;
    }
    for (const id of this.#health.damagedIds) if ((await this.#recordOf(id)) === null) this.#health.isWell(id);
    await this.#keep(null, this.#timer.nowMs());
    this.#log.info({ files, damaged: this.#health.damagedIds.length }, 'the check of files came to its end');
  }

  /** Whether files that a former server found damaged still are. */
  async #lookAgain(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const record = await this.#recordOf(id);
      if (record !== null) this.#tell(id, await checkFile(this.#store, record, this.#pace));
    }
  }

  async #recordOf(id: string) {
    const [record] = await this.#store.binary.get(organizationOf(id), [id]);
    return record ?? null;
  }

  /** Whether it was not known before. */
  #tell(id: string, damage: DamagedFile | null): boolean {
    const isKnown = this.#health.isDamaged(id);
    if (damage === null) this.#health.isWell(id);
    else if (!isKnown) this.#health.report(damage, { operation });
    return isKnown !== (damage !== null);
  }

  #keep(after: CheckPosition | null, endedMs: number | null = null): Promise<void> {
    const timeEnded = endedMs === null ? null : endedMs * 1000;
    return this.#kept.write({ after, timeEnded, damaged: this.#health.damagedIds.slice(0, mostKeptDamaged) });
  }

  readonly #pace = async (bytes: number): Promise<void> => {
    this.#owedMs += (1000 * bytes * (this.#isBusy() ? slowerWhileBusy : 1)) / this.#bytesPerSecond;
    if (this.#owedMs < leastWaitMs) return this.#stopping.signal.throwIfAborted();
    const owedMs = this.#owedMs;
    this.#owedMs = 0;
    await this.#wait(owedMs);
  };

  async #wait(ms: number): Promise<void> {
    if (ms > 0) await this.#timer.wait(ms, this.#stopping.signal);
    this.#stopping.signal.throwIfAborted();
  }
}
