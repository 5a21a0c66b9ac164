import { oneSlipFrom } from './record/one-slip-from.ts';
import { UsageError } from './record/usage-error.ts';
import { commands } from './commands.ts';

type AnyCommand = (typeof commands)[number];
type CommandName = AnyCommand['name'];

/** An answer that needs no command. */
type Told =
  { readonly name: 'version' } | { readonly name: 'help'; /** null: all commands */ readonly of: CommandName | null };

/** A command with what stands behind its name, or what is told without one. @throws UsageError where there is no such command */
export function whichCommand(
  argv: readonly string[],
): Told | { readonly command: AnyCommand; readonly args: readonly string[] } {
  const [name, ...args] = argv;
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  if (options.includes('--help') || options.includes('-h')) return { name: 'help', of: nameOf(name) };
  if (name === undefined) throw new UsageError(`No command given.`);
  if (name === 'help' || name === '--help' || name === '-h') return { name: 'help', of: nameOf(args[0]) };
  if (name === '--version') return { name: 'version' };
  const command = commands.find((known) => known.name === name);
  if (command) return { command, args };
  const near = oneSlipFrom(name, names);
  throw new UsageError(`Unknown command "${name}".${near === undefined ? '' : ` Is it "${near}"?`}`);
}

const names = commands.map(({ name }) => name);
const nameOf = (text: string | undefined): CommandName | null => names.find((name) => name === text) ?? null;
