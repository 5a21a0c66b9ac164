// How the page writes numbers, sizes and times: the same everywhere and for every reader, whatever the browser's
// language and time zone. ESLint refuses the browser's own `toLocaleString` and similar functions elsewhere in the
// page.

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });

/** "35,400", "0.0125": thousands in groups, at most four decimals. */
export const numberText = (value: number): string => grouped.format(value);

/** "1 image", "1,200 images", "3 boxes", "2 queries": a number with its noun, which is given in the singular. */
export const counted = (count: number, noun: string): string => `${numberText(count)} ${nounFor(count, noun)}`;

/** "image" for one, "images" for any other number: where the noun stands apart from its number. */
export const nounFor = (count: number, noun: string): string => (count === 1 ? noun : pluralOf(noun));

/** The plural of a noun: "images", "boxes", "queries". */
export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(x|s|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** 1_035_982 → "1.04 MB": three figures, decimal units, as download pages give them. */
export function byteText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'] as const;
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const decimals = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(decimals)} ${units[unit]}`;
}

/** A share as a percentage; a small one is not shown as none: "0 %", "< 1 %", "61 %". */
export function shareText(share: number): string {
  const percent = Math.round(100 * share);
  return share > 0 && percent === 0 ? '< 1 %' : `${percent} %`;
}

/** A duration: "0.04 ms", "3.2 ms", "142 ms", "2.4 s", "3 min 20 s". */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${ms === 0 ? 0 : ms.toFixed(ms < 0.995 ? 2 : ms < 9.95 ? 1 : 0)} ms`;
  const seconds = Math.round(ms / 1000);
  return ms < 59_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** How long until a moment: "in 12 s", "in 3 min", "now". */
export function untilText(dueMs: number, nowMs: number): string {
  const seconds = Math.ceil((dueMs - nowMs) / 1000);
  if (seconds <= 0) return 'now';
  return seconds < 90 ? `in ${seconds} s` : `in ${Math.round(seconds / 60)} min`;
}

/** A position in a video: 83_450 ms → "1:23.45". */
export function positionText(ms: number): string {
  const hundredths = Math.floor(Math.max(0, ms) / 10);
  const seconds = Math.floor(hundredths / 100);
  const fraction = String(hundredths % 100).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}.${fraction}`;
}

/** A time in ms since 1970: "2026-03-28 23:50:12 UTC"; '' for null. */
export function timeText(ms: number | null): string {
  const iso = isoOf(ms);
  return iso && `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

/** The same to the millisecond, for tables of measurements: "2026-03-28 23:50:12.345 UTC". */
export function exactTimeText(ms: number): string {
  const iso = isoOf(ms);
  return iso && `${iso.slice(0, -1).replace('T', ' ')} UTC`;
}

/** The same to the minute, where the time zone is shown beside it: "2026-03-28 23:50". */
export const minuteText = (ms: number): string => isoOf(ms).slice(0, 16).replace('T', ' ');

/** A time on the clock of the browser's time zone, to the minute, where that is said beside it: "2026-03-28 23:50". */
export const localMinuteText = (ms: number): string => minuteText(ms - new Date(ms).getTimezoneOffset() * 60_000);

/** The same to the millisecond: "2026-03-28 23:50:12.345". */
export const localExactText = (ms: number): string =>
  exactTimeText(ms - new Date(ms).getTimezoneOffset() * 60_000).slice(0, -' UTC'.length);

/** The time of day without the date: "23:50:12 UTC". */
export const clockText = (ms: number): string => timeText(ms).slice(11);

const isoOf = (ms: number | null): string =>
  ms === null || Number.isNaN(new Date(ms).getTime()) ? '' : new Date(ms).toISOString();
