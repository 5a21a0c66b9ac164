const written =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?\s*([Zz]|UTC|GMT|[+-]\d\d:?\d\d)?(?:\s+[A-Z][\w+-]*)?$/;

/**
 * Converts a time of a dataset (RFC 3339, Go's `2006-01-02 15:04:05 -0700 MST`, COCO's `2013-11-14 17:02:52`) to RFC 3339
 * in UTC, with all decimals. A time without a zone is UTC. Null for anything else, and for Go's zero time.
 */
export function parseTime(value: unknown): string | null {
  const match = typeof value === 'string' ? written.exec(value.trim()) : null;
  if (!match) return null;
  const [, year, month, day, hour, minute, second, decimals = '', zone = 'Z'] = match;
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (mo < 1 || mo > 12 || d < 1 || d > 31 || h > 23 || mi > 59 || s > 60 || y < 2) return null;
  const time = new Date(Date.UTC(y, mo - 1, d, h, mi, s) - offsetMs(zone));
  if (y < 100) time.setUTCFullYear(y);
  return `${time.toISOString().slice(0, 19)}${decimals.replace(/\.?0+$/, '')}Z`;
}

/** Converts RFC 3339 in UTC to the text of Go's `time.Time`, which Viam's own dataset export writes. */
export function goTime(rfc3339: string): string {
  return rfc3339.replace('T', ' ').replace(/Z$/, ' +0000 UTC');
}

/** Converts RFC 3339 in UTC to the format of COCO's `date_captured`. */
export function cocoTime(rfc3339: string): string {
  return rfc3339.replace('T', ' ').replace(/Z$/, '');
}

function offsetMs(zone: string): number {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  if (!match) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
}
