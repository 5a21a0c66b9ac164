import { option } from '../record/field.ts';
import { time, timeWords } from '../record/kinds.ts';

/** Options of a span of time, in ms since 1970; null: no limit. */
export const timeSpan = {
  startMs: option('--from TIME', `from ${timeWords} on`, time),
  endMs: option('--to TIME', 'before it', time),
};
