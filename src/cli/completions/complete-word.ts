import type { CommandRecord } from '../record/command.ts';
import { tokensOf, type CommandOption } from '../record/given.ts';
import { optionText } from '../record/help.ts';

/** The part of a command's record by which its words are completed. */
export type CompletedCommand = Pick<CommandRecord<string, unknown>, 'name' | 'options' | 'verbs' | 'word'>;

/** The ways in which a word may go on. */
export interface Completions {
  /** the beginning of the word that stays: what follows is completed */
  readonly prefix: string;
  /** what a shell completes by itself */
  readonly paths: 'none' | 'files' | 'folders';
  readonly candidates: readonly Candidate[];
}

interface Candidate {
  readonly text: string;
  readonly about: string;
}

/**
 * Completes the last word of a command line by the records of the commands.
 * @param before the words before it, without the program's name
 * @param current what is typed of it
 */
export function completeWord(
  before: readonly string[],
  current: string,
  commands: readonly CompletedCommand[],
): Completions {
  const [name, ...args] = before;
  const names = [...commands.map((command) => command.name), 'help'];
  if (name === undefined && current.startsWith('-')) return oneOf(['--help', '--version'], current);
  if (name === undefined || (name === 'help' && args.length === 0)) return oneOf(names, current);
  const command = commands.find((known) => known.name === name);
  return command ? completeArgument(command, args, current) : nothing;
}

const nothing: Completions = { prefix: '', paths: 'none', candidates: [] };

function completeArgument(command: CompletedCommand, args: readonly string[], current: string): Completions {
  const tokens = tokensOf(args, command.options);
  const verb = tokens.find((token) => token.kind === 'positional')?.value;
  const options = (verb !== undefined && command.verbs[verb]) || command.options;
  const optionOf = (option: string) => options.find(({ name, value }) => name === option && value !== '');
  const last = tokens.at(-1);
  const waiting = last?.kind === 'option' && last.value === undefined ? optionOf(last.name) : undefined;
  if (waiting) return completeValue(waiting, '', current);
  const isWord = tokens.some(({ kind }) => kind === 'option-terminator');
  const [, form = '', named = '', typed = ''] = (!isWord && /^(--([^=]+)=)(.*)$/s.exec(current)) || [];
  const option = optionOf(named);
  if (option) return completeValue(option, form, typed);
  if (!isWord && current.startsWith('-')) {
    const given = new Set(tokens.flatMap((token) => (token.kind === 'option' ? token.name : [])));
    const left = options.filter((one) => one.isRepeated || !given.has(one.name));
    const candidates = [...left.map((one) => ({ text: `--${one.name}`, about: optionText(one) })), help];
    return { ...nothing, candidates: candidates.filter(({ text }) => text.startsWith(current)) };
  }
  const verbs = Object.keys(command.verbs);
  if (verb === undefined && verbs.length > 0) return oneOf(verbs, current);
  return verbs.length > 0 || command.word === '' ? nothing : { ...nothing, paths: pathsOf(command.word, 'files') };
}

const help: Candidate = { text: '--help', about: 'all that is said of the command' };

/** @param prefix what stands before the value in its word */
function completeValue({ value, choices }: CommandOption, prefix: string, typed: string): Completions {
  if (choices.length > 0) return { ...oneOf(choices, typed), prefix };
  // VISION=FILE
  const key = value.includes('=') ? (/^[^=]*=/.exec(typed)?.[0] ?? '') : '';
  return { ...nothing, prefix: prefix + key, paths: pathsOf(value, 'none') };
}

/** @param what as help calls a value: DIR, [VISION=]FILE */
const pathsOf = (what: string, otherwise: Completions['paths']): Completions['paths'] =>
  /^DIR\b/.test(what) ? 'folders' : /\b(FILE|PATH|PICTURE)$/.test(what) ? 'files' : otherwise;

const oneOf = (texts: readonly string[], typed: string): Completions => ({
  ...nothing,
  candidates: texts.filter((text) => text.startsWith(typed)).map((text) => ({ text, about: '' })),
});
