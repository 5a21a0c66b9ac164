import type { Clock } from '../../../data-service/face/hosts.ts';

/** The time of day as it is set: what counts from the start of the page may stand still while the machine sleeps. */
export const browserClock: Clock = { now: () => Date.now() * 1000 };
