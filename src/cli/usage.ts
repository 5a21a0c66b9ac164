import { helpOf, listedLines, notesOf, usageLines } from './record/help.ts';
import { commands } from './commands.ts';

/** All commands, and what is said of them beside their options. */
export const usage = `Usage: sightglass <command> [options]

${commands.map(listedLines).join('\n')}

${notesOf(commands)}
sightglass <command> --help says what belongs to one command, with all of its options.`;

export const commandNames: readonly string[] = commands.map(({ name }) => name);

const recordOf = (name: string | undefined) => commands.find((command) => command.name === name);

/**
 * Gives the help of one command.
 * @param command its name
 * @returns its lines, its options, and what is said of it; null: there is no such command
 * @example
 * commandHelp('health')?.split('\n')[0]; // => 'Usage: sightglass health [--data DIR]'
 * commandHelp('helth'); // => null
 */
export function commandHelp(command: string): string | null {
  const record = recordOf(command);
  return record ? helpOf(record) : null;
}

/**
 * Says what a command line was refused for: the reason first and last, and between them the lines of its command.
 * @param reason why, as a UsageError says it
 * @param command the first word of the command line; undefined: none was given
 * @returns a text for a terminal
 * @example
 * usageErrorText('health wants no "x".', 'health').split('\n').at(-1); // => 'health wants no "x". Help: sightglass health --help'
 */
export function usageErrorText(reason: string, command: string | undefined): string {
  const record = recordOf(command);
  const shown = record ? usageLines(record) : `Commands: ${commandNames.join(' ')}`;
  const help = record ? `sightglass ${command} --help` : 'sightglass --help';
  return `${reason}\n\n${shown}\n\n${reason} Help: ${help}`;
}
