import type { CommandOption } from './given.ts';

/** What help says of a command. */
export interface Described {
  readonly name: string;
  readonly usage: readonly string[];
  readonly notes: readonly string[];
  readonly options: readonly CommandOption[];
}

const widthOfTerminal = 130;
/** A longer option has a line of its own. */
const widthOfOptions = 28;

/** The lines of a command among those of all: its name, and behind it each form. */
export const listedLines = ({ name, usage }: Described): string =>
  usage.map((form) => folded(`  ${name.padEnd(9)} `, form, 12)).join('\n');

/** The lines of a command by itself. */
export const usageLines = ({ name, usage }: Described): string =>
  usage.map((form, at) => folded(`${at === 0 ? 'Usage: ' : '       '}sightglass ${name} `, form, 12)).join('\n');

/** All that is said of a command: its lines, its options and its notes. */
export const helpOf = (record: Described): string =>
  [usageLines(record), ...optionBlocks(record), notesOf([record])].filter((block) => block !== '').join('\n\n');

/** The notes of commands, each once, and those of all. */
export const notesOf = (records: readonly Described[]): string =>
  [...new Set(records.flatMap(({ notes }) => notes)), ...notesOfAll].map((note) => folded('', note, 0)).join('\n');

const notesOfAll = [
  'One JSON object a frame is printed on stdout, in the order given; progress goes to stderr.',
  'Exit code: 0 all well; 1 a frame, the configuration or the model failed, or lint found errors; 2 bad arguments.',
];

/** Each option with what it does and what holds without it, a block for each group. */
function optionBlocks({ options }: Described): readonly string[] {
  const titles = [...new Set(options.map(({ group }) => group))];
  return titles.map((title) =>
    [`${title || 'Options'}:`, ...options.filter(({ group }) => group === title).map(linesOf)].join('\n'),
  );
}

/** `--keep TIME …`, as help and the documentation write an option. */
export const optionForm = ({ name, value, isRepeated }: CommandOption): string =>
  `--${name}${value && ` ${value}`}${isRepeated ? ' …' : ''}`;

/** What it does, that it must be given, and what holds where it is not. */
export const optionText = ({ about, usual, isRequired }: CommandOption): string =>
  `${about}${isRequired ? ' (required)' : usual && ` (${usual})`}`;

function linesOf(option: CommandOption): string {
  const form = `  ${optionForm(option)}`;
  const isLong = form.length > widthOfOptions - 2;
  const head = isLong ? `${form}\n${' '.repeat(widthOfOptions)}` : form.padEnd(widthOfOptions);
  return folded(head, optionText(option), widthOfOptions);
}

/** A text behind a head, broken into lines that fit the terminal; an option and its value stay together. */
function folded(head: string, text: string, indent: number): string {
  const lines = [head];
  let room = widthOfTerminal - head.length + head.lastIndexOf('\n') + 1;
  let isFirst = true;
  for (const word of text.split(/(?<!--[\w-]+|\|) (?! )/)) {
    if (!isFirst && word.length + 1 > room) {
      lines.push(' '.repeat(indent));
      room = widthOfTerminal - indent;
      isFirst = true;
    }
    lines[lines.length - 1] += isFirst ? word : ` ${word}`;
    room -= word.length + (isFirst ? 0 : 1);
    isFirst = false;
  }
  return lines.join('\n').trimEnd();
}
