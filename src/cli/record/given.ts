import { parseArgs } from 'node:util';
import { oneSlipFrom } from './one-slip-from.ts';
import { UsageError } from './usage-error.ts';

/** An option as help, completions and the documentation say it. */
export interface CommandOption {
  readonly name: string;
  /** what its value is called, as FILE; '': it has none */
  readonly value: string;
  /** all that its value may be; []: anything that is one */
  readonly choices: readonly string[];
  /** what it does */
  readonly about: string;
  /** what holds where it is not given; '': nothing that could be said here */
  readonly usual: string;
  /** whether one command line may have several */
  readonly isRepeated: boolean;
  /** whether the command is refused without it */
  readonly isRequired: boolean;
  /** the block of the help that it stands in; '': Options */
  readonly group: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command line gave, before its values are read. */
export interface Given {
  /** name in messages: "people invite" */
  readonly command: string;
  readonly words: readonly string[];
  readonly environment: Environment;
  /** @throws UsageError where it was given twice */
  readonly one: (option: string) => string | null;
  readonly many: (option: string) => readonly string[];
  readonly has: (option: string) => boolean;
}

/**
 * Reads a command line into its words and options. Words behind "--" are no options.
 * @param options what the command knows
 * @throws UsageError for an option that it does not know, or whose value is missing
 */
export function readGiven(
  command: string,
  args: readonly string[],
  options: readonly CommandOption[],
  environment: Environment,
): Given {
  const { values, positionals } = parsed(command, args, options);
  const many = (name: string): readonly string[] => (values[name] ?? []).filter((one) => typeof one === 'string');
  return {
    command,
    words: positionals,
    environment,
    many,
    has: (name) => values[name] !== undefined,
    one: (name) => {
      const [text = null, ...more] = many(name);
      if (more.length > 0) throw new UsageError(`--${name} was given ${more.length + 1} times; give it once.`);
      return text;
    },
  };
}

function parsed(command: string, args: readonly string[], options: readonly CommandOption[]) {
  try {
    return parseArgs({ args: [...args], options: typesOf(options), allowPositionals: true, strict: true });
  } catch (error) {
    const { message } = error as Error;
    const [unknown = '', name = ''] = /^Unknown option '--?([^']+)'/.exec(message) ?? [];
    const near = oneSlipFrom(
      name,
      options.map((option) => option.name),
    );
    throw new UsageError(near === undefined ? message : `${unknown} of ${command}. Is it "--${near}"?`, {
      cause: error,
    });
  }
}

/** Where the first word stands in a command line of these options; -1: there is none. */
export function firstWordAt(args: readonly string[], options: readonly CommandOption[]): number {
  return tokensOf(args, options).find(({ kind }) => kind === 'positional')?.index ?? -1;
}

/** What the parts of a command line are, in their order; one that is wrong, or not yet whole, has tokens, too. */
export const tokensOf = (args: readonly string[], options: readonly CommandOption[]) =>
  parseArgs({ args: [...args], options: typesOf(options), strict: false, tokens: true }).tokens;

/** All may be repeated for the parser, so that one that must not be is named by its own words. */
const typesOf = (options: readonly CommandOption[]) =>
  Object.fromEntries(
    options.map(({ name, value }) => [
      name,
      { type: value === '' ? ('boolean' as const) : ('string' as const), multiple: true as const },
    ]),
  );
