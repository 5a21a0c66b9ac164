import { QueryError, type QueryAsker } from '../ports/query-runner.ts';

/**
 * How many queries may run at once: in total, for one organization, and for one key of it. All pipelines together
 * count as one key.
 */
export interface TurnLimits {
  readonly places: number;
  readonly perOrganization: number;
  readonly perKey: number;
  /** the number of waiting queries above which an organization's further queries are refused */
  readonly waitingPerOrganization: number;
  /**
   * Time limit in ms in the extra place for short queries, while other organizations wait for it: if all other
   * places are taken, an organization without a running query uses it at once. null: there is no extra place.
   */
  readonly shortMs: number | null;
}

/**
 * Computes how many queries may run at once: one place stays that no single organization can take, and within each
 * organization one that no single key can take.
 * @param places at least 1
 * @returns limits an organization and a key, with those of waiting queries
 * @example
 * const { perOrganization, perKey } = fairLimits(4);
 * [perOrganization, perKey]; // => [3, 2]
 */
export function fairLimits(places: number): TurnLimits {
  const [perOrganization, perKey] = [Math.max(1, places - 1), Math.max(1, places - 2)];
  return { places, perOrganization, perKey, waitingPerOrganization: 100, shortMs: 5000 };
}

/** For a host with one user. */
export const undivided = (places: number): TurnLimits => ({
  places,
  perOrganization: places,
  perKey: places,
  waitingPerOrganization: 1000,
  shortMs: null,
});

/** The place of a running query. */
export interface Turn {
  /** aborts with a QueryError when the query must give way to others */
  readonly mustEnd: AbortSignal;
  leave(): void;
}

interface Waiting {
  readonly asker: QueryAsker;
  readonly begin: (served: Served) => void;
}

interface Served {
  readonly asker: QueryAsker;
  readonly ending: AbortController;
  /** when it started in the place for short queries, by `performance.now()`; null: it has another place */
  shortSinceMs: number | null;
}

/** How many organizations and keys are remembered; one beyond these counts as never served. */
const remembered = 1000;

/**
 * Decides which waiting query runs next: those of people before pipelines, then by the fewest running queries of
 * the organization and of the key, then the one served longest ago. So a client with twenty slow queries delays
 * only itself.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #serving: Served[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #lastServed = new Map<string, number>();
  #served = 0;
  #endingShort: ReturnType<typeof setTimeout> | null = null;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves when it is this caller's turn.
   * @throws QueryError `resource-exhausted` at once if too many wait already; the signal's reason
   */
  async enter(asker: QueryAsker, signal: AbortSignal): Promise<Turn> {
    signal.throwIfAborted();
    if (this.waitingOf(asker.organizationId) >= this.#limits.waitingPerOrganization) {
      const { waitingPerOrganization: count } = this.#limits;
      throw new QueryError(
        'resource-exhausted',
        `${count} queries of this organization wait already; try again later.`,
      );
    }
    const served = await new Promise<Served>((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#limitShort();
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        asker,
        begin: (turn) => {
          signal.removeEventListener('abort', giveUp);
          resolve(turn);
        },
      };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', giveUp);
      this.#serveNext();
    });
    return { mustEnd: served.ending.signal, leave: () => this.#leave(served) };
  }

  /** How many queries wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many queries of an organization wait. */
  waitingOf(organizationId: string): number {
    return this.#waiting.filter(({ asker }) => asker.organizationId === organizationId).length;
  }

  /** How many organizations and keys are remembered. */
  get remembered(): number {
    return this.#lastServed.size;
  }

  #leave(served: Served): void {
    this.#serving.splice(this.#serving.indexOf(served), 1);
    const short = this.#inShortPlace();
    // a normal place became free: the query moves to it
    if (short !== undefined && this.#placesTaken() < this.#limits.places) short.shortSinceMs = null;
    this.#serveNext();
  }

  #inShortPlace(): Served | undefined {
    return this.#serving.find(({ shortSinceMs }) => shortSinceMs !== null);
  }

  #placesTaken(): number {
    return this.#serving.filter(({ shortSinceMs }) => shortSinceMs === null).length;
  }

  #serveNext(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const { asker } = next;
      const isShort = this.#placesTaken() >= this.#limits.places;
      const served = { asker, ending: new AbortController(), shortSinceMs: isShort ? performance.now() : null };
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#serving.push(served);
      this.#remember(asker);
      next.begin(served);
    }
    if (this.#serving.length === 0) this.#lastServed.clear(); // nobody waits: all are equal again
    this.#limitShort();
  }

  #remember(asker: QueryAsker): void {
    this.#served++;
    for (const name of namesOf(asker)) {
      this.#lastServed.delete(name); // so that the first name is of whom was served longest ago
      this.#lastServed.set(name, this.#served);
    }
    for (const name of this.#lastServed.keys()) {
      if (this.#lastServed.size <= remembered) break;
      this.#lastServed.delete(name);
    }
  }

  /** Ends the query in the place for short queries when its time is over, if somebody waits for the place. */
  #limitShort(): void {
    if (this.#endingShort !== null) clearTimeout(this.#endingShort);
    this.#endingShort = null;
    const short = this.#inShortPlace();
    if (short === undefined || !this.#waiting.some(({ asker }) => this.#mayBeShort(asker))) return;
    const { shortMs } = this.#limits;
    const leftMs = Math.max(0, short.shortSinceMs! + shortMs! - performance.now());
    this.#endingShort = setTimeout(() => {
      const message = `The query had the place for short ones, as all others are taken, for ${shortMs! / 1000} s while other organizations wait, and was ended; ask for less, or try again later.`;
      short.ending.abort(new QueryError('resource-exhausted', message));
    }, leftMs);
  }

  /** Whether a caller may use the place for short queries: a person whose organization has no query running. */
  #mayBeShort({ organizationId, isPipeline }: QueryAsker): boolean {
    if (this.#limits.shortMs === null || isPipeline) return false;
    return !this.#serving.some(({ asker }) => asker.organizationId === organizationId);
  }

  #next(): Waiting | null {
    let [first, firstRank]: [Waiting | null, readonly number[]] = [null, []];
    for (const waiting of this.#waiting) {
      const rank = this.#rank(waiting.asker);
      if (rank === null || (first !== null && !isBefore(rank, firstRank))) continue;
      [first, firstRank] = [waiting, rank];
    }
    return first;
  }

  /** The lower rank runs first; null: no place for this caller now. */
  #rank(asker: QueryAsker): readonly number[] | null {
    const { places, perOrganization, perKey } = this.#limits;
    const serving = this.#serving.map((served) => served.asker);
    const ofOrganization = serving.filter((other) => other.organizationId === asker.organizationId);
    const ofKey = ofOrganization.filter(
      (other) => other.keyId === asker.keyId && other.isPipeline === asker.isPipeline,
    );
    const ofPipelines = asker.isPipeline ? serving.filter((other) => other.isPipeline) : [];
    const isFull = this.#placesTaken() >= places;
    if (isFull && (this.#inShortPlace() !== undefined || !this.#mayBeShort(asker))) return null;
    if (ofOrganization.length >= perOrganization) return null;
    if (ofKey.length >= perKey || ofPipelines.length >= perKey) return null;
    const [lastOfOrganization, lastOfKey] = namesOf(asker).map((name) => this.#lastServed.get(name) ?? 0);
    return [Number(asker.isPipeline), ofOrganization.length, lastOfOrganization!, ofKey.length, lastOfKey!];
  }
}

const namesOf = ({ organizationId, keyId, isPipeline }: QueryAsker): readonly string[] => [
  organizationId,
  JSON.stringify([organizationId, keyId, isPipeline]),
];

/** Compares ranks number by number; equal ranks keep their order of arrival. */
function isBefore(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((value, index) => value !== other[index]);
  return at >= 0 && rank[at]! < other[at]!;
}
