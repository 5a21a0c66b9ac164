import { Cron } from 'croner';
import type { Micros } from '../ports/stored-captures.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';

/** Data between two ticks of a schedule, `[start, end)`. Windows of one schedule have no gaps and no overlaps. */
export interface Window {
  readonly start: Micros;
  readonly end: Micros;
}

/** The last value of each field: minute, hour, day of month, month, day of week. */
const lastOfField = [59, 23, 31, 12, 6] as const;

/** `5/15` is `5-59/15` in crontabs: from 5 to the end of the field. croner accepts only the long form. */
const withWholeSteps = (field: string, index: number): string =>
  field.replace(/(?<=^|,)(\w+)(?=\/)/g, (first) => `${first}-${lastOfField[index]}`);

/** Five-field cron in UTC: the moments at which a window closes. */
export class Schedule {
  readonly #cron: Cron;

  private constructor(cron: Cron) {
    this.#cron = cron;
  }

  /**
   * @throws ConnectError InvalidArgument unless there are five fields, and for a schedule that never fires after
   *   `now`
   */
  static parse(text: string, now: Micros): Schedule {
    const fields = text.trim().split(/\s+/);
    if (fields.length !== 5)
      throw invalidArgument(
        `schedule is ${JSON.stringify(text)}; give five fields: minute, hour, day of month, month, day of week (UTC).`,
      );
    let cron: Cron;
    try {
      cron = new Cron(fields.map(withWholeSteps).join(' '), { timezone: 'UTC' });
    } catch (error) {
      throw invalidArgument(`schedule ${JSON.stringify(text)} is not cron: ${(error as Error).message}`);
    }
    const schedule = new Schedule(cron);
    if (schedule.nextTick(now) === null) throw invalidArgument(`schedule ${JSON.stringify(text)} never fires.`);
    return schedule;
  }

  /** The first tick later than `time`; null if there is none. */
  nextTick(time: Micros): Micros | null {
    const next = this.#cron.nextRun(new Date(Math.floor(time / 1000)));
    return next === null ? null : next.getTime() * 1000;
  }

  /** The window that ends with the last tick at or before `time`; null before the second tick ever. */
  lastWindow(time: Micros): Window | null {
    // croner leaves out its reference itself
    const [end, start] = this.#cron.previousRuns(2, new Date(Math.floor(time / 1000) + 1));
    return end && start ? { start: start.getTime() * 1000, end: end.getTime() * 1000 } : null;
  }

  /** The window that `time` falls into. */
  windowOf(time: Micros): Window | null {
    const end = this.nextTick(time);
    return end === null ? null : this.lastWindow(end);
  }

  /** The window after `window`; null if the schedule ends. */
  windowAfter({ end: start }: Window): Window | null {
    const end = this.nextTick(start);
    return end === null ? null : { start, end };
  }
}
