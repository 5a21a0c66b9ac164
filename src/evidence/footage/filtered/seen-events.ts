import type { Change } from '../changes.ts';
import type { FilteredRun } from './filtered-run.ts';

/** A label was there, from one change of its count to another. */
export interface SeenEvent {
  readonly label: string;
  readonly fromMs: number;
  /** the frame of this time does not show it any more */
  readonly toMs: number;
}

/**
 * Lists when labels were there.
 * @param changes of a `ChangeFinder`, in order
 * @param endMs of the footage: what is there then ends then
 * @returns in the order in which they begin
 * @example
 * const change = { index: 3, timeMs: 120, name: '', counts: new Map([['cat', 1]]), before: new Map([['cat', 0]]) };
 * seenEvents([change], 500); // => [{ label: 'cat', fromMs: 120, toMs: 500 }]
 */
export function seenEvents(changes: readonly Change[], endMs: number): readonly SeenEvent[] {
  const since = new Map<string, number>();
  const events: SeenEvent[] = [];
  for (const { timeMs, counts } of changes) {
    for (const [label, count] of counts) {
      const fromMs = since.get(label);
      if (count > 0 && fromMs === undefined) since.set(label, timeMs);
      if (count > 0 || fromMs === undefined) continue;
      events.push({ label, fromMs, toMs: timeMs });
      since.delete(label);
    }
  }
  for (const [label, fromMs] of since) events.push({ label, fromMs, toMs: endMs });
  return events.sort((a, b) => a.fromMs - b.fromMs);
}

/**
 * Lists the events of which nothing would be kept.
 * @param events of `seenEvents`
 * @param run what a filtered camera keeps
 * @returns those without an image whose frame lies in them
 * @example
 * lostEvents([{ label: 'cat', fromMs: 0, toMs: 500 }], { kept: [] }).length; // => 1
 */
export function lostEvents(events: readonly SeenEvent[], { kept }: Pick<FilteredRun, 'kept'>): readonly SeenEvent[] {
  const times = Float64Array.from(kept, ({ image }) => image.timeMs).sort();
  let at = 0;
  return events.filter(({ fromMs, toMs }) => {
    while (times[at]! < fromMs) at++;
    return !(times[at]! < toMs);
  });
}
