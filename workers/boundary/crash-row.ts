/**
 * A worker that dies within this time of its start extends the row of crashes; one that ran longer begins a new
 * row.
 */
const sameRowMs = 10_000;
const firstPauseMs = 200;
const longestPauseMs = 30_000;

/**
 * Counts crashes in a row, so that a worker that cannot run is not restarted for ever. Times in ms of one clock.
 */
export class CrashRow {
  #startedMs = -Infinity;
  #length = 0;

  started(nowMs: number): void {
    this.#startedMs = nowMs;
  }

  /** Records a crash and returns the length of the row, from 1. */
  crashed(nowMs: number): number {
    this.#length = nowMs - this.#startedMs < sameRowMs ? this.#length + 1 : 1;
    return this.#length;
  }

  /** How long to wait before the next start: 0 after the first crash, then 200 ms, doubled each time. */
  get pauseMs(): number {
    return this.#length < 2 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#length - 2));
  }
}
