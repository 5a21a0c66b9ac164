/** Common schedules, to choose from instead of typing cron fields. */
export const usualSchedules = [
  { value: '*/5 * * * *', text: 'Every five minutes' },
  { value: '0 * * * *', text: 'Every hour' },
  { value: '0 3 * * *', text: 'Every day at 03:00' },
  { value: '0 6 * * 1-5', text: 'Weekdays at 06:00' },
  { value: '0 0 1 * *', text: 'The first of each month' },
] as const;

/** The words for a common schedule: "Every hour". Null for any other. */
export const scheduleWords = (schedule: string): string | null =>
  usualSchedules.find(({ value }) => value === schedule.trim())?.text ?? null;
