import type { Micros } from '../ports/capture.ts';
import type { Schedule, Window } from './schedule.ts';

/**
 * The windows of the past that one scheduler has yet to check. It begins with the newest, keeps up with time from there,
 * and goes back to the earliest data: a reading that some clock dated 1970 keeps nobody waiting for yesterday.
 */
export class PastWindows {
  /** the next window to close; null before the first poll */
  #onward: Window | null = null;
  /** windows that end by then were not checked */
  #backTo: Micros = -Infinity;
  /** windows that another scheduler is at, which may yet be lost */
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

  /** These stretches were checked; `unsettled` of their windows are to be checked again. */
  checked(schedule: Schedule, stretches: readonly (readonly Window[])[], unsettled: readonly Window[]): void {
    this.#unsettled = unsettled;
    for (const stretch of stretches) {
      const [oldest, newest] = [stretch[0]!, stretch.at(-1)!];
      if (this.#onward !== null && newest.end > this.#onward.start) this.#onward = schedule.windowAfter(newest);
      if (newest.end === this.#backTo) this.#backTo = oldest.start;
    }
  }
}
