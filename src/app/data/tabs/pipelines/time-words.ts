import { minuteText } from '../../../kit/words/figures.ts';

/** A time window in UTC: "2026-03-28 22:50 – 23:50". The end has its date only if that differs from the start's. */
export function windowWords(start: Date, end: Date): string {
  const [from, to] = [minuteText(start.getTime()), minuteText(end.getTime())];
  const isOneDay = from.slice(0, 10) === to.slice(0, 10);
  return `${from} – ${isOneDay ? to.slice(11) : to}`;
}

/** The same window in the time zone of this browser. */
export const localWindowWords = (start: Date, end: Date): string => windowWords(asUtc(start), asUtc(end));

/** Shifts a time by the browser's UTC offset, so that formatting it as UTC gives the local time. */
const asUtc = (date: Date): Date => new Date(date.getTime() - 60_000 * date.getTimezoneOffset());
