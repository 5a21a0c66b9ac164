import type { Micros } from '../ports/capture.ts';

const second = 1_000_000;
const minute = 60 * second;

/** How long after its tick a run starts: time for late data to come in. */
export const startDelay: Micros = 2 * minute;
/** How long a run may take. */
export const runLimitMs = 5 * 60_000;
/** A run that started this long ago and has not ended has lost its host. */
export const startedLease: Micros = 10 * minute;
/** A host that has not started its scheduled run this long after it should have is lost. */
export const scheduledLease: Micros = startDelay + minute;
/** What a run may leave in its sink. */
export const maxSinkDocuments = 10_000;
/** An upload may become visible this long after the time it notes as synced: it may wait for a locked store. */
export const visibilityDelay: Micros = 30 * second;
/** How far the clocks of hosts that share a store may be apart. What is further ahead was a clock set wrong. */
export const clockTolerance: Micros = 5 * minute;
/** How far before the newest run a scheduler that just began looks for late data that nobody has seen to. */
export const arrivalsOverlap: Micros = 60 * minute;
