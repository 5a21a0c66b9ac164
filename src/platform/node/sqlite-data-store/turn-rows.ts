/** The host waits for a turn: others are served between two. */
const aimedMs = 10;
const [fewest, firstRows, most] = [1, 8, 1000];
const leastMs = 0.1;

/**
 * How many rows a turn of long work takes: as many as a turn of some milliseconds has time for, by how long the former ones took.
 * Rows differ in what they cost by a factor of thousands: their size, the indexes that they are in, the disk.
 */
export class TurnRows {
  #rows = firstRows;

  get rows(): number {
    return this.#rows;
  }

  /** Runs a turn of at most so many rows. Returns how many it had. */
  run(turn: (rows: number) => number): number {
    const beganMs = performance.now();
    const count = turn(this.#rows);
    const ms = Math.max(leastMs, performance.now() - beganMs);
    const next = Math.floor(Math.min(2 * this.#rows, (count * aimedMs) / ms));
    if (count > 0) this.#rows = Math.min(most, Math.max(fewest, next));
    return count;
  }
}
