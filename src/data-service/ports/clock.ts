import type { Micros } from './capture.ts';

/** The time of day. Tests set it; hosts give the system's. */
export interface Clock {
  now(): Micros;
}
