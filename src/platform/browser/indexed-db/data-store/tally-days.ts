import type { Interval, Micros } from '../../../../data-service/face/captures.ts';

/** A counted capture: where it is, and its bytes. */
export interface Tallied {
  readonly stream: number;
  readonly time: Micros;
  readonly sizeBytes: number;
}

const dayMicros: Micros = 24 * 60 * 60 * 1_000_000;

const dayOf = (time: Micros): number => Math.floor(time / dayMicros);

/** The whole days within an interval, and what of it lies before and behind them. */
export function splitAtDays({ start, end }: Interval): {
  readonly days: { readonly from: number; readonly to: number };
  readonly edges: readonly Interval[];
} {
  const from = start === null ? -Infinity : Math.ceil(start / dayMicros);
  const to = end === null ? Infinity : Math.floor(end / dayMicros);
  if (from >= to) return { days: { from: 0, to: 0 }, edges: [{ start, end }] };
  const before = start === null || start === from * dayMicros ? [] : [{ start, end: from * dayMicros }];
  const behind = end === null || end === to * dayMicros ? [] : [{ start: to * dayMicros, end }];
  return { days: { from, to }, edges: [...before, ...behind] };
}

/** How many captures each day of each stream has, and their bytes, counted up or down. */
export function sumByDay(captures: Iterable<Tallied>, sign: 1 | -1) {
  const sums = new Map<string, { readonly key: [number, number]; count: number; bytes: number }>();
  for (const { stream, time, sizeBytes } of captures) {
    const key: [number, number] = [stream, dayOf(time)];
    const found = sums.get(key.join()) ?? { key, count: 0, bytes: 0 };
    found.count += sign;
    found.bytes += sign * sizeBytes;
    sums.set(key.join(), found);
  }
  return sums.values();
}
