/** An option of a command, as it is read and as its help says it. */
export interface CommandOption {
  readonly name: string;
  /** what its value is called, as FILE */
  readonly value: string;
  /** what it does, with its default */
  readonly about: string;
  /** it may be given more than once */
  readonly many?: true;
}

export interface OptionGroup {
  readonly title: string;
  readonly options: readonly CommandOption[];
}

const widthOfTerminal = 130;
/** A longer option has a line of its own. */
const widthOfOptions = 28;

/** The names of the options that are given once, or of those that are given often. */
export const namesOf = (groups: readonly OptionGroup[], which: 'once' | 'often'): readonly string[] =>
  groups.flatMap(({ options }) =>
    options.filter(({ many }) => (many === true) === (which === 'often')).map(({ name }) => name),
  );

/** The options of a command in columns, a block for each group. */
export const optionTable = (groups: readonly OptionGroup[]): string =>
  groups.map(({ title, options }) => [`${title}:`, ...options.flatMap(linesOf)].join('\n')).join('\n\n');

function linesOf({ name, value, about, many }: CommandOption): readonly string[] {
  const option = `  --${name} ${value}${many ? ' …' : ''}`;
  const lines = wrapped(about, widthOfTerminal - widthOfOptions);
  const indented = lines.map((line) => ' '.repeat(widthOfOptions) + line);
  if (option.length > widthOfOptions - 2) return [option, ...indented];
  return [option.padEnd(widthOfOptions) + lines[0]!, ...indented.slice(1)];
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
