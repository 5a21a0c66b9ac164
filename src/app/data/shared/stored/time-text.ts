// One for all: making a formatter costs what formatting a hundred times costs, and a grid formats in every frame.
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

/** A moment in the words of the reader's locale; '' for none. */
export const timeText = (ms: number | null): string => (ms === null ? '' : format.format(ms));
