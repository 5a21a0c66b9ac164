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
  /** extra places for short queries: if all others are taken, an organization without a running query has one at once */
  readonly shortPlaces: number;
}

/**
 * What a query may have in a place for short ones while another organization, which had less of late, waits for it: processor time in ms,
 * and time by the clock. On a busy machine a second of processor time may take ten by the clock, for which nobody shall wait.
 */
const shortProcessorMs = 1000;
const shortClockMs = 2000;

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
  return { places, perOrganization, perKey, waitingPerOrganization: 100, shortPlaces: 2 };
}

/** For a host with one user. */
export const undivided = (places: number): TurnLimits => ({
  places,
  perOrganization: places,
  perKey: places,
  waitingPerOrganization: 1000,
  shortPlaces: 0,
});

/** The place of a running query. */
export interface Turn {
  /** whether the query began in a place for short queries */
  readonly isShort: boolean;
  /** aborts with a QueryError when the query must give way to others */
  readonly mustEnd: AbortSignal;
  /** Tells how much processor time the query has had since its turn began, in ms; never less than before. */
  used(processorMs: number): void;
  leave(): void;
}

interface Waiting {
  readonly asker: QueryAsker;
  readonly begin: (served: Served) => void;
}

interface Served {
  readonly asker: QueryAsker;
  readonly ending: AbortController;
  /** whether the query is in a place for short queries */
  isShort: boolean;
  usedMs: number;
  /** by `performance.now()` */
  readonly beganMs: number;
  /** when its time in a place for short queries is over by the clock */
  readonly over: ReturnType<typeof setTimeout> | undefined;
}

/** The turns that an organization or a key had: the number of the last one, and processor time, halved each `halfLifeMs`. */
interface Had {
  readonly turn: number;
  readonly processorMs: number;
  /** when that was counted, by `performance.now()` */
  readonly atMs: number;
}

/** How many organizations and keys are remembered; one beyond these counts as never served. */
const remembered = 1000;
const halfLifeMs = 60_000;
const nothing: Had = { turn: 0, processorMs: 0, atMs: 0 };

/**
 * Decides which waiting query runs next: those of people before pipelines, then by the fewest running queries of
 * the organization and of the key, then the one that had the least processor time of late, then the one served longest
 * ago. So a client with twenty slow queries delays only itself, and what counts is the work of a query, not the time
 * that it takes beside the work of others.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #serving: Served[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #had = new Map<string, Had>();
  #turns = 0;

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
    return {
      isShort: served.isShort,
      mustEnd: served.ending.signal,
      used: (processorMs) => this.#use(served, processorMs),
      leave: () => this.#leave(served),
    };
  }

  /** All places are taken but those for short queries. */
  get isFull(): boolean {
    return this.#limits.shortPlaces > 0 && this.#placesTaken() >= this.#limits.places;
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
    return this.#had.size;
  }

  #leave(served: Served): void {
    this.#serving.splice(this.#serving.indexOf(served), 1);
    clearTimeout(served.over);
    const [short] = this.#inShortPlaces();
    // a normal place became free: the query moves to it
    if (short !== undefined && this.#placesTaken() < this.#limits.places) short.isShort = false;
    this.#serveNext();
  }

  #use(served: Served, processorMs: number): void {
    const moreMs = processorMs - served.usedMs;
    served.usedMs = processorMs;
    for (const name of namesOf(served.asker)) {
      const { turn } = this.#had.get(name) ?? nothing;
      this.#remember(name, { turn, processorMs: this.#processorMs(name) + moreMs, atMs: performance.now() });
    }
    this.#limitShort();
  }

  /** The processor time that an organization or a key had of late, in ms. */
  #processorMs(name: string): number {
    const { processorMs, atMs } = this.#had.get(name) ?? nothing;
    return processorMs * 2 ** ((atMs - performance.now()) / halfLifeMs);
  }

  /** Those that are being ended last. */
  #inShortPlaces(): readonly Served[] {
    return this.#serving
      .filter(({ isShort }) => isShort)
      .sort((a, b) => Number(a.ending.signal.aborted) - Number(b.ending.signal.aborted));
  }

  #placesTaken(): number {
    return this.#serving.filter(({ isShort }) => !isShort).length;
  }

  #serveNext(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const { asker } = next;
      const isShort = this.#placesTaken() >= this.#limits.places;
      const beganMs = performance.now();
      const over = isShort ? setTimeout(() => this.#limitShort(), shortClockMs) : undefined;
      const served = { asker, ending: new AbortController(), isShort, usedMs: 0, beganMs, over };
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#serving.push(served);
      this.#turns++;
      for (const name of namesOf(asker))
        this.#remember(name, { ...(this.#had.get(name) ?? nothing), turn: this.#turns });
      next.begin(served);
    }
    if (this.#serving.length === 0) this.#forgetTurns(); // nobody waits: but for processor time all are equal again
    this.#limitShort();
  }

  #remember(name: string, had: Had): void {
    this.#had.delete(name); // so that the first name is of whom was served longest ago
    this.#had.set(name, had);
    for (const first of this.#had.keys()) {
      if (this.#had.size <= remembered) break;
      this.#had.delete(first);
    }
  }

  #forgetTurns(): void {
    for (const [name, had] of this.#had)
      if (this.#processorMs(name) < 1) this.#had.delete(name);
      else this.#had.set(name, { ...had, turn: 0 });
  }

  /**
   * Ends as many queries in places for short ones as organizations that had less wait for one: first those that had the most processor
   * time by themselves.
   */
  #limitShort(): void {
    const short = this.#inShortPlaces();
    const hadMs = ({ asker }: { readonly asker: QueryAsker }): number => this.#processorMs(asker.organizationId);
    const isEnding = ({ ending }: Served): boolean => ending.signal.aborted;
    const waiting = this.#waiting.filter(({ asker }) => this.#mayBeShort(asker));
    const claims = [...new Map(waiting.map((one) => [one.asker.organizationId, hadMs(one)])).values()]
      .sort((a, b) => a - b)
      .slice(short.filter(isEnding).length);
    const over = short.filter((served) => !isEnding(served) && isOver(served)).sort((a, b) => b.usedMs - a.usedMs);
    for (const served of over)
      if (claims[0]! < hadMs(served)) {
        claims.shift();
        served.ending.abort(new QueryError('resource-exhausted', gaveWay));
      }
  }

  /** Whether a caller may use a place for short queries: a person whose organization has no query running. */
  #mayBeShort({ organizationId, isPipeline }: QueryAsker): boolean {
    if (isPipeline) return false;
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
    if (isFull && (this.#inShortPlaces().length >= this.#limits.shortPlaces || !this.#mayBeShort(asker))) return null;
    if (ofOrganization.length >= perOrganization) return null;
    if (ofKey.length >= perKey || ofPipelines.length >= perKey) return null;
    const [organization, key] = namesOf(asker).map((name) => [
      this.#processorMs(name),
      (this.#had.get(name) ?? nothing).turn,
    ]);
    return [Number(asker.isPipeline), ofOrganization.length, ...organization!, ofKey.length, ...key!];
  }
}

const isOver = ({ usedMs, beganMs }: Served): boolean =>
  usedMs >= shortProcessorMs || performance.now() - beganMs >= shortClockMs;

const gaveWay = `The query had a place for short ones, as all others are taken, and was ended after ${shortProcessorMs / 1000} s of processor time or ${shortClockMs / 1000} s by the clock: an organization that had less processor time of late waited. Ask for less, or try again later.`;

const namesOf = ({ organizationId, keyId, isPipeline }: QueryAsker): readonly string[] => [
  organizationId,
  JSON.stringify([organizationId, keyId, isPipeline]),
];

/** Compares ranks number by number; equal ranks keep their order of arrival. */
function isBefore(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((value, index) => value !== other[index]);
  return at >= 0 && rank[at]! < other[at]!;
}
