import type { Pipeline, PipelineRun } from '../../../src/data-service/ports/pipeline-store.ts';

export const pipelineOf = (id: string, changes: Partial<Pipeline> = {}): Pipeline => ({
  id,
  organizationId: 'org',
  name: `name-${id}`,
  stages: [Uint8Array.of(5)],
  schedule: '0 * * * *',
  enabled: true,
  backfill: false,
  source: 'standard',
  timeCreated: 1,
  timeUpdated: 1,
  timeEnabled: 1,
  ...changes,
});

/** A run of the pipeline `p`, over ten microseconds from `start`. */
export const runOf = (id: string, start: number, changes: Partial<PipelineRun> = {}): PipelineRun => ({
  id,
  pipelineId: 'p',
  organizationId: 'org',
  window: { start, end: start + 10 },
  status: 'scheduled',
  timeStarted: null,
  timeEnded: null,
  errorMessage: '',
  leaseOwner: 'host-1',
  leaseUntil: 100,
  dataSeenUntil: 0,
  ...changes,
});

/** Terms of a claim that takes any window which nobody holds. */
export const freeTerms = { longestLease: 1000, lostMessage: 'its host was lost', rerunOf: null, notAfter: null };
