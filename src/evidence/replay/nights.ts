import type { TimeSpan } from './time-span.ts';

const nightHours = { from: 20, to: 6 } as const;

/**
 * Lists the nights of a span, from 20 to 6 o'clock of the time zone that this runs in; on the days when clocks change
 * they are an hour longer or shorter.
 * @param span of any length
 * @returns in their order, cut at the span's ends
 * @example
 * const noon = new Date(2026, 4, 1, 12).getTime();
 * nightsIn({ startMs: noon, endMs: noon + 86_400_000 }).length; // => 1
 */
export function nightsIn({ startMs, endMs }: TimeSpan): readonly TimeSpan[] {
  const nights: TimeSpan[] = [];
  const start = new Date(startMs);
  for (let day = -1; ; day++) {
    const at = (days: number, hour: number): number =>
      new Date(start.getFullYear(), start.getMonth(), start.getDate() + days, hour).getTime();
    const night = {
      startMs: Math.max(startMs, at(day, nightHours.from)),
      endMs: Math.min(endMs, at(day + 1, nightHours.to)),
    };
    if (night.startMs < night.endMs) nights.push(night);
    else if (day > 0) return nights;
  }
}
