/** "2026-03-28 23:50", in UTC. */
export const utcMinute = (date: Date): string => date.toISOString().slice(0, 16).replace('T', ' ');

/** The same in the person's own time zone, as they write it. */
export const localMinute = (date: Date): string =>
  date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const localDay = (date: Date): string => date.toLocaleDateString(undefined, { dateStyle: 'medium' });
const localTime = (date: Date): string => date.toLocaleTimeString(undefined, { timeStyle: 'short' });

/** "2026-03-28 22:50 – 23:50", with the day of the end where that is another one. */
export function windowWords(start: Date, end: Date, inUtc: boolean): string {
  const [startDay, endDay] = [start, end].map((date) => (inUtc ? utcMinute(date).slice(0, 10) : localDay(date)));
  const whole = inUtc ? utcMinute : localMinute;
  const time = inUtc ? (date: Date) => utcMinute(date).slice(11) : localTime;
  return `${whole(start)} – ${startDay === endDay ? time(end) : whole(end)}`;
}

/** "40 ms", "2.4 s". */
export const durationWords = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);
