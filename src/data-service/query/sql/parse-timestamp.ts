import { sqlError, type SqlPosition } from './sql-error.ts';

/**
 * A date or time, UTC where no offset is given: `2026-03-01`, `2026-03-01 12:00:00.5`, `2026-03-01T12:00:00+01:00`.
 */
export function parseTimestamp(text: string, at: SqlPosition): Date {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))? ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i.exec(
      text.trim(),
    );
  if (parts) {
    const [, day, time = '00:00:00', zone = 'Z'] = parts;
    const offset = /^[+-]/.test(zone)
      ? zone.replace(/^(...):?(..)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)
      : 'Z';
    const date = new Date(`${day}T${time}${offset}`);
    if (!Number.isNaN(date.getTime()) && isDay(day!)) return date;
  }
  throw sqlError(`${JSON.stringify(text)} is not a date or a time`, at);
}

/** JavaScript reads 29 February of any year, and goes on into March where there is none. */
const isDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
