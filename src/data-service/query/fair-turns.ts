import { QueryError, type QueryAsker } from '../ports/query-runner.ts';

/** How many may be served at once: of all, of one organization, of one key of it. Pipelines share what one key may take. */
export interface TurnLimits {
  readonly places: number;
  readonly perOrganization: number;
  readonly perKey: number;
  /** further queries of an organization that has as many waiting are refused */
  readonly waitingPerOrganization: number;
}

/**
 * With a place that no single organization can take, and in each organization one that no single key can.
 * @param places at least 1
 */
export function fairLimits(places: number): TurnLimits {
  const [perOrganization, perKey] = [Math.max(1, places - 1), Math.max(1, places - 2)];
  return { places, perOrganization, perKey, waitingPerOrganization: 100 };
}

/** For the host of one person. */
export const undivided = (places: number): TurnLimits => ({
  ...{ places, perOrganization: places, perKey: places },
  waitingPerOrganization: 1000,
});

interface Waiting {
  readonly asker: QueryAsker;
  readonly begin: () => void;
}

/**
 * Whose turn it is: of those who wait, people before pipelines, then who is served the least right now, by organization and
 * by key, then who was served longest ago. So one with twenty slow queries waits for itself and holds nobody else up.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #serving: QueryAsker[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #lastServed = new Map<string, number>();
  #served = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves when it is the asker's turn, with what ends it.
   * @throws QueryError `resource-exhausted` at once where too many wait already; the signal's reason
   */
  async enter(asker: QueryAsker, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.waitingOf(asker.organizationId) >= this.#limits.waitingPerOrganization) {
      const { waitingPerOrganization: count } = this.#limits;
      throw new QueryError(
        'resource-exhausted',
        `${count} queries of this organization wait already; try again later.`,
      );
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        asker,
        begin: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', giveUp);
      this.#serveNext();
    });
    return () => this.#leave(asker);
  }

  /** How many queries wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many queries of an organization wait. */
  waitingOf(organizationId: string): number {
    return this.#waiting.filter(({ asker }) => asker.organizationId === organizationId).length;
  }

  #leave(asker: QueryAsker): void {
    this.#serving.splice(this.#serving.indexOf(asker), 1);
    this.#serveNext();
  }

  #serveNext(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const { asker } = next;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#serving.push(asker);
      this.#served++;
      for (const name of namesOf(asker)) this.#lastServed.set(name, this.#served);
      next.begin();
    }
    if (this.#serving.length === 0) this.#lastServed.clear(); // nobody waits: all are equal again
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
    const ofOrganization = this.#serving.filter((other) => other.organizationId === asker.organizationId);
    const ofKey = ofOrganization.filter(
      (other) => other.keyId === asker.keyId && other.isPipeline === asker.isPipeline,
    );
    const ofPipelines = asker.isPipeline ? this.#serving.filter((other) => other.isPipeline) : [];
    if (this.#serving.length >= places || ofOrganization.length >= perOrganization) return null;
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
