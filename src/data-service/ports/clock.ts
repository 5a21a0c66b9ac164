import type { Micros } from './stored-captures.ts';

/** The time of day. Tests set it; hosts use the system's. */
export interface Clock {
  now(): Micros;
}

/** An earlier date comes from a clock that was never set, so that the data's age is unknown. */
export const clocksWereSet: Micros = Date.UTC(2000, 0, 1) * 1000;
