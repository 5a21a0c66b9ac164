import { together, type Field, type Fields, type ValuesOf } from './field.ts';
import { firstWordAt, readGiven, type CommandOption, type Environment } from './given.ts';
import { UsageError } from './usage-error.ts';

/** All that is said of a command, and how its arguments are read. */
export interface CommandRecord<Name extends string, Arguments> {
  readonly name: Name;
  /** what stands behind its name, a line a form */
  readonly usage: readonly string[];
  /** what else its help says: some of it is shared with other commands */
  readonly notes: readonly string[];
  /** all of its options, those that several of its forms have once */
  readonly options: readonly CommandOption[];
  /** the options of each verb that its first word may be; {}: it has none */
  readonly verbs: Readonly<Record<string, readonly CommandOption[]>>;
  /** what one of its words is called; '': it takes none, or their verb says it */
  readonly word: string;
  /** @param args what stands behind its name @throws UsageError naming the argument, what it got and what it wants */
  read(args: readonly string[], environment?: Environment): Arguments;
}

/** What a command is asked for, as its record reads it. */
export type ArgumentsOf<R> = R extends CommandRecord<string, infer Arguments> ? Arguments : never;

interface Words {
  readonly usage: readonly string[];
  readonly notes?: readonly string[];
}

/** A command with one form. @param noWords why it takes none, where a person may think so */
export function command<const Name extends string, T>(
  name: Name,
  { reads, noWords, usage, notes = [] }: Words & { readonly reads: Field<T>; readonly noWords?: string },
): CommandRecord<Name, Named<Name, T>> {
  const { options, word = '' } = reads;
  const read = (args: readonly string[], environment: Environment = process.env): Named<Name, T> => {
    const given = readGiven(name, args, options, environment);
    const [stray] = given.words;
    if (stray !== undefined && word === '')
      throw new UsageError(
        noWords === undefined
          ? `${name} wants no "${stray}".`
          : `${name} takes options only, got "${stray}": ${noWords}.`,
      );
    return { name, ...reads.read(given) } as Named<Name, T>;
  };
  return { name, usage, notes, options, verbs: {}, word, read };
}

type Named<Name, T> = T extends unknown ? { readonly name: Name } & T : never;

/** Verbs of a command, each with the words and options that it takes. */
type Verbs = Readonly<Record<string, Field<object>>>;
type VerbArguments<Name, V extends Verbs> = {
  readonly [Verb in keyof V]: V[Verb] extends Field<infer T> ? { readonly name: Name; readonly verb: Verb } & T : never;
}[keyof V];

/** A command whose first word says what is done. */
export function verbs<const Name extends string, V extends Verbs>(
  name: Name,
  { verbs: known, usage, notes = [] }: Words & { readonly verbs: V },
): CommandRecord<Name, VerbArguments<Name, V>> {
  const options = eachOnce(Object.values(known).flatMap((field) => field.options));
  const names = Object.keys(known);
  const wanted = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  const read = (args: readonly string[], environment: Environment = process.env): VerbArguments<Name, V> => {
    const at = firstWordAt(args, options);
    const verb = args[at] ?? '';
    if (!Object.hasOwn(known, verb)) throw new UsageError(`${name} wants ${wanted}, got "${verb}".`);
    const field = known[verb]!;
    const given = readGiven(`${name} ${verb}`, args.toSpliced(at, 1), field.options, environment);
    return { name, verb, ...field.read(given) } as VerbArguments<Name, V>;
  };
  const optionsOf = Object.fromEntries(Object.entries(known).map(([verb, field]) => [verb, field.options]));
  return { name, usage, notes, options, verbs: optionsOf, word: '', read };
}

/** What a verb takes: words, by the names of their values in the code and as help calls them, and options. */
export function verb<const W extends Readonly<Record<string, string>>, F extends Fields>(
  words: W,
  fields: F,
): Field<ValuesOf<F> & { readonly [Word in keyof W]: string }> {
  const names = Object.keys(words);
  const wanted = Object.values(words);
  return together(fields, (values, { command: asked, words: told }) => {
    if (told.length !== wanted.length) throw new UsageError(`${asked} wants ${wanted.join(' ') || 'no more words'}.`);
    const empty = told.findIndex((one) => one.trim() === '');
    if (empty !== -1) throw new UsageError(`${asked} wants ${wanted[empty]!}, got an empty word.`);
    const named = Object.fromEntries(names.map((word, at) => [word, told[at]!])) as { [Word in keyof W]: string };
    return { ...values, ...named };
  });
}

/** A command that is one thing without a word, and another with words, whose options stand under a title of their own. */
export function byWords<const Name extends string, Without, With>(
  without: CommandRecord<Name, Without>,
  withWords: CommandRecord<Name, With>,
  group: string,
): CommandRecord<Name, Without | With> {
  const options = [...without.options, ...withWords.options.map((option) => ({ ...option, group }))];
  return {
    name: without.name,
    usage: [...without.usage, ...withWords.usage],
    notes: [...without.notes, ...withWords.notes],
    options,
    verbs: {},
    word: withWords.word,
    read: (args, environment) => (firstWordAt(args, options) === -1 ? without : withWords).read(args, environment),
  };
}

const eachOnce = (options: readonly CommandOption[]): readonly CommandOption[] => [
  ...new Map(options.map((one) => [one.name, one])).values(),
];
