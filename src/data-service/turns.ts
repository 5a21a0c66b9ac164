/** About 5 ms: a unit of work takes some nanoseconds, as to compare two boxes does. */
const unitsOfTurn = 1_000_000;

/** Lets the thread do what waits: other calls, a probe of the host's health. */
const othersGoFirst = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Long work in short turns, so that the thread that serves goes on serving. Turns are counted by units of work and not by the clock: the
 * same work always makes the same turns.
 */
export class Turns {
  readonly #between: () => Promise<void>;
  #used = 0;

  /** @param between what is awaited between two turns */
  constructor(between = othersGoFirst) {
    this.#between = between;
  }

  /** Counts work that was done; true: the turn is over, await `next`. */
  spend(units: number): boolean {
    this.#used += units;
    return this.#used >= unitsOfTurn;
  }

  async next(): Promise<void> {
    this.#used = 0;
    await this.#between();
  }
}
