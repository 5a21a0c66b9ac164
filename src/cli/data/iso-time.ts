/** A time, in µs since 1970, as people and scripts read it, to the millisecond; null: it is none that a date can hold. */
export function isoTime(micros: number): string | null {
  const date = new Date(Math.floor(micros / 1000));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
