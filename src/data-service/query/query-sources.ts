import type { Micros } from '../ports/stored-captures.ts';
import type { QuerySource } from '../ports/query-runner.ts';

/** Hot storage holds what was requested in the last 24 hours. */
export const hotStorageSpan: Micros = 24 * 60 * 60 * 1_000_000;

/** The whole of an organization's readings. */
export const allReadings: QuerySource = { kind: 'readings', interval: { start: null, end: null } };

export const recentReadings = (now: Micros): QuerySource => ({
  kind: 'readings',
  interval: { start: now - hotStorageSpan, end: null },
});
