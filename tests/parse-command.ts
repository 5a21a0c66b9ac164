import type { commands } from '../src/cli/commands.ts';
import type { ArgumentsOf } from '../src/cli/record/command.ts';
import { whichCommand } from '../src/cli/which-command.ts';

export type Command = ArgumentsOf<(typeof commands)[number]>;

/** The arguments of a command line, as they are read for its command. @throws UsageError */
export function parseCommand(argv: readonly string[]) {
  const asked = whichCommand(argv);
  return 'args' in asked ? asked.command.read(asked.args) : asked;
}
