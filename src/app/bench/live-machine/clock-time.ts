const toTheSecond = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

/** A moment in ms since 1970 as a clock on the wall shows it, to the second. */
export const clockTime = (ms: number): string => toTheSecond.format(ms);
