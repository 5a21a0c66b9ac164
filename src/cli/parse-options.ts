import { parseArgs } from 'node:util';
import { parseDuration } from './duration.ts';
import { UsageError } from './usage.ts';

/** The options of a command line, by name. */
export interface OptionValues {
  one(option: string): string | null;
  many(option: string): readonly string[];
  /** whether an option without a value was given */
  has(flag: string): boolean;
}

/** Reads options that are given once, options that may be given often, and those without a value. @throws UsageError */
export function parseOptions(
  args: readonly string[],
  single: readonly string[],
  multiple: readonly string[],
  flags: readonly string[] = [],
): { values: OptionValues; positionals: readonly string[] } {
  const options = Object.fromEntries([
    ...single.map((name) => [name, { type: 'string' as const, multiple: true as const }]),
    ...multiple.map((name) => [name, { type: 'string' as const, multiple: true as const }]),
    ...flags.map((name) => [name, { type: 'boolean' as const, multiple: true as const }]),
  ]) as Record<string, { type: 'string' | 'boolean'; multiple: true }>;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const many = (option: string): readonly string[] => (values[option] ?? []) as string[];
    const has = (flag: string): boolean => values[flag] !== undefined;
    const one = (option: string): string | null => {
      const given = many(option);
      if (given.length > 1) throw new UsageError(`--${option} was given ${given.length} times; give it once.`);
      return given[0] ?? null;
    };
    return { values: { one, many, has }, positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message}`, { cause: error });
  }
}

/** An empty value, as of a variable that is not set, is no default: an empty host would be every address. @throws UsageError */
export function filled(option: string, values: OptionValues): string | null {
  const text = values.one(option);
  if (text?.trim() === '') throw new UsageError(`--${option} was given without a value; give one, or leave it out.`);
  return text;
}

/** @throws UsageError if it was not given */
export function required(command: string, option: string, values: OptionValues): string {
  const value = values.one(option);
  if (!value) throw new UsageError(`${command} wants --${option}.`);
  return value;
}

/** @throws UsageError if the text is not a whole number */
export function integer(option: string, text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new UsageError(`--${option} wants a whole number, got "${text}".`);
  return Number(text);
}

/** How long, in ms, as of `90s`, `1h` or `30d`; null: it was not given. @throws UsageError */
export function duration(option: string, values: OptionValues): number | null {
  const text = values.one(option);
  if (text === null) return null;
  const ms = parseDuration(text, ['s', 'm', 'h', 'd']);
  if (ms === null)
    throw new UsageError(`--${option} wants how long, in s, m, h or d, as 90s, 1h or 30d, got "${text}".`);
  return ms;
}

/** A day or a time, in ms since 1970; null: it was not given. @throws UsageError */
export function timeMs(option: string, values: OptionValues): number | null {
  const text = filled(option, values);
  if (text === null) return null;
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const [ms, dayMs] = [Date.parse(text), Date.parse(day)];
  // Date.parse reads the 30th of February as the 2nd of March
  if (!Number.isNaN(ms + dayMs) && new Date(dayMs).toISOString().startsWith(day)) return ms;
  throw new UsageError(`--${option} wants a day as 2026-03-11 (UTC) or a time as 2026-03-11T05:00:00Z, got "${text}".`);
}
