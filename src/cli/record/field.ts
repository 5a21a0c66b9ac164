import type { CommandOption, Given } from './given.ts';
import { text, type Kind } from './kinds.ts';
import { UsageError } from './usage-error.ts';

/** Something that a command is told: the options that tell it, as help says them, and how its value is read. */
export interface Field<T> {
  readonly options: readonly CommandOption[];
  /** what one of the words is called that it reads, which no other field does then */
  readonly word?: string;
  /** @throws UsageError */
  read(given: Given): T;
}

/** Fields by the name that their value has in the code. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never };

/**
 * An option that may be left out.
 * @param form as it is typed, `--frames N`
 * @returns its value; null: it was not given
 */
export function option(form: string, about: string): Field<string | null>;
export function option<T>(form: string, about: string, kind: Kind<T>): Field<T | null>;
export function option(form: string, about: string, kind: Kind<unknown> = text): Field<unknown> {
  const described = describe(form, about, kind);
  return { options: [described], read: (given) => valueOf(described.name, kind, given) };
}

/** An option that may be left out, with what holds then. */
export function usual<T>(form: string, about: string, kind: Kind<T>, value: T, shown = String(value)): Field<T> {
  const described = describe(form, about, kind, { usual: shown });
  return { options: [described], read: (given) => valueOf(described.name, kind, given) ?? value };
}

/** An option without which the command is refused. */
export function required(form: string, about: string): Field<string>;
export function required<T>(form: string, about: string, kind: Kind<T>): Field<T>;
export function required(form: string, about: string, kind: Kind<unknown> = text): Field<unknown> {
  const described = describe(form, about, kind, { isRequired: true });
  return { options: [described], read: (given) => requiredValue(described.name, kind, given) };
}

/** An option that may be given often: its values in their order. */
export function repeated(form: string, about: string): Field<readonly string[]>;
export function repeated<T>(form: string, about: string, kind: Kind<T>): Field<readonly T[]>;
export function repeated(form: string, about: string, kind: Kind<unknown> = text): Field<readonly unknown[]> {
  const described = describe(form, about, kind, { isRepeated: true });
  const { name } = described;
  return { options: [described], read: (given) => given.many(name).map((value) => readValue(name, kind, value)) };
}

/** An option without a value: whether it was given. */
export function flag(form: string, about: string): Field<boolean> {
  const described = describe(form, about, text);
  return { options: [described], read: (given) => given.has(described.name) };
}

/** The one word that a command wants. @param what "model", "FILE" */
export const word = (what: string): Field<string> => ({
  options: [],
  word: what,
  read({ command, words }) {
    const [only, ...more] = words;
    if (only === undefined || only.trim() === '' || more.length > 0)
      throw new UsageError(`${command} wants one ${what}, got ${words.length} paths.`);
    return only;
  },
});

/** The words of a command that wants at least one. */
export const words = (what: string): Field<readonly string[]> => ({
  options: [],
  word: what,
  read({ command, words: told }) {
    if (told.length === 0) throw new UsageError(`${command} wants at least one ${what}.`);
    return told;
  },
});

/** Fields that are read as one value, each under its name, or as what is made of them and of what was given. */
export function together<F extends Fields>(fields: F): Field<ValuesOf<F>>;
export function together<F extends Fields, T>(fields: F, join: (values: ValuesOf<F>, given: Given) => T): Field<T>;
export function together<F extends Fields>(
  fields: F,
  join: (values: ValuesOf<F>, given: Given) => unknown = (values) => values,
): Field<unknown> {
  const all = Object.entries(fields);
  const [taken] = all.flatMap(([, { word: taken }]) => taken ?? []);
  return {
    options: all.flatMap(([, { options }]) => options),
    ...(taken !== undefined && { word: taken }),
    read: (given) =>
      join(Object.fromEntries(all.map(([name, field]) => [name, field.read(given)])) as ValuesOf<F>, given),
  };
}

/** A field whose value is made of that of another. */
export const made = <T, U>(field: Field<T>, make: (value: T, given: Given) => U): Field<U> => ({
  ...field,
  read: (given) => make(field.read(given), given),
});

/** A field that is read only where its value is asked for: then alone it wants what it requires. */
export const later = <T>(field: Field<T>): Field<() => T> => ({
  ...field,
  options: field.options.map((one) => ({ ...one, isRequired: false })),
  read: (given) => () => field.read(given),
});

/** Fields whose options stand under a title of their own in the help. */
export function inGroup<F extends Fields>(group: string, fields: F): F {
  const grouped = Object.entries(fields).map(([name, field]) => [
    name,
    { ...field, options: field.options.map((one) => ({ ...one, group })) },
  ]);
  return Object.fromEntries(grouped) as F;
}

function valueOf<T>(name: string, kind: Kind<T>, given: Given): T | null {
  const value = given.one(name);
  return value === null ? null : readValue(name, kind, value);
}

/** @throws UsageError where an option is given without a value: an empty one, as of a variable that is not set, is no default */
function readValue<T>(name: string, kind: Kind<T>, value: string): T {
  if (value.trim() === '' && !kind.mayBeEmpty)
    throw new UsageError(`--${name} was given without a value; give one, or leave it out.`);
  return kind.read(value, name);
}

function requiredValue<T>(name: string, kind: Kind<T>, given: Given): T {
  const value = valueOf(name, kind, given);
  if (value === null) throw new UsageError(`${given.command} wants --${name}.`);
  return value;
}

function describe(
  form: string,
  about: string,
  { choices = [] }: Kind<unknown>,
  more: Partial<CommandOption> = {},
): CommandOption {
  const [, name = '', value = ''] = /^--(\S+)(?: (.+))?$/.exec(form)!;
  return { name, value, choices, about, usual: '', isRepeated: false, isRequired: false, group: '', ...more };
}
