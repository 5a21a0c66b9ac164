const [fewest, firstRows, most] = [1, 8, 1000];
const leastMs = 0.1;

/**
 * How many rows a turn of long work takes: as many as a turn of some milliseconds has time for, by how long the former ones took.
 * Rows differ in what they cost by a factor of thousands: their size, the indexes that they are in, the disk.
 */
export class TurnRows {
  #rows = firstRows;
  readonly #aimedMs: number;

  /** @param aimedMs how long a turn shall take; by default what a host can wait for, since others are served between two */
  constructor(aimedMs = 10) {
    this.#aimedMs = aimedMs;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Runs a turn of at most so many rows. Returns how many it had. */
  run(turn: (rows: number) => number): number {
    const beganMs = performance.now();
    const count = turn(this.#rows);
    this.took(count, performance.now() - beganMs);
    return count;
  }

  /** Learns from a turn of `count` rows. */
  took(count: number, ms: number): void {
    const next = Math.floor(Math.min(2 * this.#rows, (count * this.#aimedMs) / Math.max(leastMs, ms)));
    if (count > 0) this.#rows = Math.min(most, Math.max(fewest, next));
  }
}
