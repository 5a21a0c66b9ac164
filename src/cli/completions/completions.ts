import { completeWord, type CompletedCommand } from './complete-word.ts';
import type { CompletionsArguments } from './completions-record.ts';
import { shellScripts } from './shell-scripts.ts';

/**
 * Runs `sightglass completions`: prints a shell's script, or what that script asks for: a line with what of the word stays and which
 * paths a shell adds, then a line a candidate.
 * @param command parsed arguments
 * @param commands all commands
 * @param write receives the text, for stdout
 * @returns exit code: 0
 * @example
 * completions({ verb: 'answer', before: ['sightglass'], current: 'li' }, [{ name: 'lint' }], (text) => text); // => 0
 */
export function completions(
  command: CompletionsArguments,
  commands: readonly CompletedCommand[],
  write: (text: string) => void,
): number {
  if (command.verb !== 'answer') {
    write(shellScripts[command.verb]);
    return 0;
  }
  const { paths, prefix, candidates } = completeWord(command.before.slice(1), command.current, commands);
  write([`${paths}\t${prefix}`, ...candidates.map(({ text, about }) => `${text}\t${about}`), ''].join('\n'));
  return 0;
}
