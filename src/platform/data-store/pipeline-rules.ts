import type { Micros } from '../../data-service/face/captures.ts';
import { type ClaimTerms, type HeldRun, type PipelineRun, StoreError } from '../../data-service/face/stores.ts';

const isUnfinished = ({ status }: PipelineRun): boolean => status === 'scheduled' || status === 'started';

/** Whether a window may be claimed over its newest run, and whether that one has to be given up as lost. */
export function decideClaim(
  newest: PipelineRun | undefined,
  now: Micros,
  { longestLease, rerunOf, notAfter }: Omit<ClaimTerms, 'lostMessage'>,
): 'refused' | 'free' | 'lost' {
  if (notAfter !== null && now > notAfter) return 'refused';
  if (newest === undefined) return 'free';
  if (!isUnfinished(newest)) return newest.id === rerunOf ? 'free' : 'refused';
  const farthest = Math.max(now, newest.window.end) + longestLease;
  return newest.leaseUntil < now || newest.leaseUntil > farthest ? 'lost' : 'refused';
}

/** @throws StoreError conflict unless the owner still holds the run */
export function requireHeld(
  run: PipelineRun | undefined,
  { id, leaseOwner }: Pick<HeldRun, 'id' | 'leaseOwner'>,
): PipelineRun {
  if (run?.leaseOwner === leaseOwner && isUnfinished(run)) return run;
  throw new StoreError('conflict', `Run ${id} is no longer held by ${leaseOwner}.`, { subject: id });
}

/** Keys of a sink are ordered by window, then by place in its result. */
export const sinkWindow = (windowStart: Micros): string => `${String(windowStart).padStart(16, '0')}/`;
export const sinkKey = (windowStart: Micros, index: number): string =>
  sinkWindow(windowStart) + String(index).padStart(6, '0');
