import type { Micros } from '../ports/stored-captures.ts';

const second = 1_000_000;
const minute = 60 * second;

/** How long after its tick a run starts, so that late data can arrive. */
export const startDelay: Micros = 2 * minute;
/** How long a run may take. */
export const runLimitMs = 5 * 60_000;
/** The host of a run that started this long ago and has not ended is dead. */
export const startedLease: Micros = 10 * minute;
/** The host of a scheduled run that should have started this long ago is dead. */
export const scheduledLease: Micros = startDelay + minute;
/** How many documents a run may store in its sink. */
export const maxSinkDocuments = 10_000;
/** How long after its sync time a store takes an upload: a host may be frozen in between, or wait for its database. */
export const insertDelay: Micros = 20 * second;
/** Who looks for what was synced before the oldest write less this misses nothing that will become visible. */
export const visibilityDelay: Micros = 30 * second;
/** How far the clocks of hosts that share a store may differ. A clock further ahead was set wrongly. */
export const clockTolerance: Micros = 5 * minute;
/** How far before the newest run a new scheduler looks for late data that was not processed. */
export const arrivalsOverlap: Micros = 60 * minute;
