// The options of a rewrite.

export type { InputSize } from '../structure/input-size.ts';
export type { OptionSpec, OptionValue, OptionValues } from '../structure/options.ts';
