/** Dying again within this time of its start goes on with the row; a worker that ran longer begins a new one. */
const sameRowMs = 10_000;
const firstPauseMs = 200;
const longestPauseMs = 30_000;

/** How often a worker died in a row, so that one that cannot live is not started without end. Times in ms of one clock. */
export class CrashRow {
  #startedMs = -Infinity;
  #length = 0;

  started(nowMs: number): void {
    this.#startedMs = nowMs;
  }

  /** The length of the row with this crash, from 1. */
  crashed(nowMs: number): number {
    this.#length = nowMs - this.#startedMs < sameRowMs ? this.#length + 1 : 1;
    return this.#length;
  }

  /** How long to wait before the next start: not at all after the first crash, then 200 ms, doubled each time. */
  get pauseMs(): number {
    return this.#length < 2 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#length - 2));
  }
}
