import type { Clock } from '../../data-service/ports/clock.ts';

/** The system's time in microseconds. */
export const browserClock: Clock = {
  now: () => Math.round((performance.timeOrigin + performance.now()) * 1000),
};
