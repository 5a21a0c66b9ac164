import type { Micros } from '../ports/stored-captures.ts';
import type { Schedule, Window } from './schedule.ts';

/**
 * The past windows that a scheduler has still to check. It begins with the newest, follows the time from there, and
 * goes back to the earliest data: so a reading that some clock dated 1970 does not delay yesterday's windows.
 */
export class PastWindows {
  /** the next window to close; null: before the first poll */
  #onward: Window | null = null;
  /** windows that end up to here were not checked yet */
  #backTo: Micros = -Infinity;
  /** windows that another scheduler is running, which may still fail */
  #unsettled: readonly Window[] = [];

  forget(): void {
    this.#onward = null;
    this.#unsettled = [];
  }

  /**
   * Windows to check, in stretches without gaps, each stretch in ascending order and of at most `limit`; none is older than `first`, the
   * window of the earliest data, and all have ended by `until`.
   */
  due(schedule: Schedule, first: Window, until: Micros, limit: number): readonly (readonly Window[])[] {
    if (this.#onward === null) {
      const last = schedule.lastWindow(until) ?? first;
      this.#onward = last.start < first.start ? first : last;
      this.#backTo = this.#onward.start;
    }
    const onward: Window[] = [];
    for (let next: Window | null = this.#onward; next !== null && next.end <= until && onward.length < limit;) {
      onward.push(next);
      next = schedule.windowAfter(next);
    }
    const backward: Window[] = [];
    for (let end = this.#backTo; end > first.start && backward.length < limit; end = backward[0]!.start)
      backward.unshift(schedule.lastWindow(end)!);
    return [...this.#unsettled.map((window) => [window]), onward, backward].filter(({ length }) => length > 0);
  }

  /** Records that these windows were checked; those in `unsettled` are to be checked again. */
  checked(schedule: Schedule, stretches: readonly (readonly Window[])[], unsettled: readonly Window[]): void {
    this.#unsettled = unsettled;
    for (const stretch of stretches) {
      const [oldest, newest] = [stretch[0]!, stretch.at(-1)!];
      if (this.#onward !== null && newest.end > this.#onward.start) this.#onward = schedule.windowAfter(newest);
      if (newest.end === this.#backTo) this.#backTo = oldest.start;
    }
  }
}
