/**
 * Reads a moment as tables write it: ISO 8601, or a number whose size tells s, ms, µs or ns. Returns µs since 1970, or
 * null.
 */
export function readTimeMicros(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim())
        ? Number(value)
        : null;
  if (number !== null) return fromEpoch(number);
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/.test(value.trim())) return null;
  const text = value
    .trim()
    .replace(' ', 'T')
    .replace(/ ?UTC$/, 'Z');
  // Date reads three digits of a second; the microseconds are added separately.
  const ms = new Date(text.replace(/(\.\d{3})\d+/, '$1')).getTime();
  const beyond = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '';
  return Number.isNaN(ms) ? null : ms * 1000 + Number(beyond.padEnd(3, '0'));
}

// Accepts moments between 2001 and 2286 in each unit: other numbers are measurements.
function fromEpoch(number: number): number | null {
  if (number >= 1e9 && number < 1e10) return Math.round(number * 1e6);
  if (number >= 1e12 && number < 1e13) return Math.round(number * 1e3);
  if (number >= 1e15 && number < 1e16) return Math.round(number);
  if (number >= 1e18 && number < 1e19) return Math.round(number / 1e3);
  return null;
}
