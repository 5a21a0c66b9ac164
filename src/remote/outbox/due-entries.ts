import { sequenceOf, type OutboxEntry } from './outbox-entry.ts';
import type { TargetQueue } from './outbox-store.ts';
import type { OutboxTarget } from './outbox-target.ts';

export interface DueEntry {
  readonly entry: OutboxEntry;
  readonly target: OutboxTarget;
}

export interface Situation {
  /** ms since 1970 */
  readonly nowMs: number;
  readonly isOnline: boolean;
  /** entries that are being sent */
  readonly underWay: readonly OutboxEntry[];
  /** how many entries may be sent to a target at once */
  readonly widthOf: (targetId: string) => number;
}

export interface DueEntries {
  readonly due: readonly DueEntry[];
  /** when the next entry is due, ms since 1970; null: none waits */
  readonly soonestMs: number | null;
}

/** Which entries of the queues are to be started now: for each target as many as its width allows. */
export function dueEntries(
  queues: readonly TargetQueue[],
  { nowMs, isOnline, underWay, widthOf }: Situation,
): DueEntries {
  const due: DueEntry[] = [];
  const busy = new Set(underWay.map(sequenceOf));
  let soonestMs = Infinity;
  for (const { target, waiting } of queues) {
    if (target.needsKey || (target.kind === 'server' && !isOnline)) continue;
    let room = widthOf(target.id) - underWay.filter(({ targetId }) => targetId === target.id).length;
    for (const entry of waiting) {
      if (room <= 0) break;
      const sequence = sequenceOf(entry);
      if (busy.has(sequence)) continue;
      const dueMs = Math.max(entry.dueMs ?? Infinity, target.notBeforeMs);
      if (dueMs > nowMs) {
        soonestMs = Math.min(soonestMs, dueMs);
        break;
      }
      due.push({ entry, target });
      busy.add(sequence);
      room--;
    }
  }
  return { due, soonestMs: Number.isFinite(soonestMs) ? soonestMs : null };
}
