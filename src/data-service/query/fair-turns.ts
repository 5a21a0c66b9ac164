import { QueryError, type QueryAsker } from '../ports/query-runner.ts';

/** How many may be served at once: of all, of one organization, of one key of it. Pipelines share what one key may take. */
export interface TurnLimits {
  readonly places: number;
  readonly perOrganization: number;
  readonly perKey: number;
  /** further queries of an organization that has as many waiting are refused */
  readonly waitingPerOrganization: number;
  /**
   * How long a query may take in the place for short ones, beyond `places`, while other organizations wait for it: whoever has
   * nothing served goes there at once where all places are taken. null: there is no such place.
   */
  readonly shortMs: number | null;
}

/**
 * With a place that no single organization can take, and in each organization one that no single key can.
 * @param places at least 1
 */
export function fairLimits(places: number): TurnLimits {
  const [perOrganization, perKey] = [Math.max(1, places - 1), Math.max(1, places - 2)];
  return { places, perOrganization, perKey, waitingPerOrganization: 100, shortMs: 5000 };
}

/** For the host of one person. */
export const undivided = (places: number): TurnLimits => ({
  ...{ places, perOrganization: places, perKey: places },
  ...{ waitingPerOrganization: 1000, shortMs: null },
});

/** What an asker has while it is served. */
export interface Turn {
  /** aborted with a QueryError when its query must give way to others */
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
  /** when it began in the place for short ones, by `performance.now()`; null: it has one of the others */
  shortSinceMs: number | null;
}

/** Who was served longer ago than so many others counts as one who never was. */
const remembered = 1000;

/**
 * Whose turn it is: of those who wait, people before pipelines, then who is served the least right now, by organization and
 * by key, then who was served longest ago. So one with twenty slow queries waits for itself and holds nobody else up.
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
   * Resolves when it is the asker's turn.
   * @throws QueryError `resource-exhausted` at once where too many wait already; the signal's reason
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

  /** How many organizations and keys it knows of when they were served last. */
  get remembered(): number {
    return this.#lastServed.size;
  }

  #leave(served: Served): void {
    this.#serving.splice(this.#serving.indexOf(served), 1);
    const short = this.#inShortPlace();
    // a place became free: it has that one from now on
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

  /** Ends in time the query in the place for short ones, while somebody waits for that. */
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

  /** Whether an asker may have the place for short queries: a person of an organization that has nothing served. */
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

  /** Who has the lower one goes first; null: no place for this asker now. */
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

/** In the order of the first number that differs; of equals the one that came first stays first. */
function isBefore(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((value, index) => value !== other[index]);
  return at >= 0 && rank[at]! < other[at]!;
}
