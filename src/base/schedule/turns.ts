/** About 5 ms: a unit of work takes some nanoseconds, as to compare two boxes does. */
const unitsOfTurn = 1_000_000;

const waiting: (() => void)[] = [];

/**
 * Lets the thread do what waits: other calls, a health probe. Between two turns of any calls the thread is free: the turns of eight calls in
 * direct succession would block it like one long turn.
 */
function othersGoFirst(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setTimeout(goOn);
  });
}

function goOn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setTimeout(goOn);
}

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
