import type { Micros } from './capture.ts';

/** The time of day. Tests set it; hosts give the system's. */
export interface Clock {
  now(): Micros;
}

/** What is dated before is of a clock that was never set: nobody knows how old it is. */
export const clocksWereSet: Micros = Date.UTC(2000, 0, 1) * 1000;
