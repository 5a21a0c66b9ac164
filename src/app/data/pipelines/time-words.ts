/** "2026-03-28 23:50", in UTC. */
export const utcMinute = (date: Date): string => date.toISOString().slice(0, 16).replace('T', ' ');

/** The same in the person's own time zone, as they write it. */
export const localMinute = (date: Date): string =>
  date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** "23:50 – 00:50", or with the day where the window spans more than one. */
export function windowWords(start: Date, end: Date, inUtc: boolean): string {
  const words = inUtc ? utcMinute : localMinute;
  return `${words(start)} – ${words(end)}`;
}
