import { minuteText } from '../../../kit/words/figures.ts';

/** A window of time in UTC: "2026-03-28 22:50 – 23:50", with the day of the end where that is another one. */
export function windowWords(start: Date, end: Date): string {
  const [from, to] = [minuteText(start.getTime()), minuteText(end.getTime())];
  const isOneDay = from.slice(0, 10) === to.slice(0, 10);
  return `${from} – ${isOneDay ? to.slice(11) : to}`;
}

/** The same window in the time zone of this browser. */
export const localWindowWords = (start: Date, end: Date): string => windowWords(asUtc(start), asUtc(end));

/** The moment at which UTC shows what a clock on the wall shows at a moment. */
const asUtc = (date: Date): Date => new Date(date.getTime() - 60_000 * date.getTimezoneOffset());
