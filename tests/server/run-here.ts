import { vi } from 'vitest';
import { check } from '../../src/cli/data/check.ts';
import { reportOf } from '../../src/cli/record/cli-error.ts';
import { confirmClock } from '../../src/cli/data/clock.ts';
import { manage } from '../../src/cli/data/manage.ts';
import { move } from '../../src/cli/data/move.ts';
import type { Terminal } from '../../src/cli/shared/run-frames.ts';
import { parseCommand } from '../parse-command.ts';
import type { Answered } from './run-sightglass.ts';

/**
 * Runs a command that ends by itself within this process, because a process takes a second to start: `check` of a folder, `move`, and
 * what manages an installation.
 *
 * @param environment - variables beside those of this process; no other command that runs here meanwhile may want others
 */
export async function runHere(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const [lines, said]: [Record<string, unknown>[], string[]] = [[], []];
  const terminal = {
    print: (line: object) => void lines.push(JSON.parse(JSON.stringify(line)) as Record<string, unknown>),
    say: (text: string) => void said.push(`${text}\n`),
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    const code = await run(argv, terminal);
    return { code, lines, stderr: said.join('') };
  } catch (error) {
    return { code: 1, lines: [...lines, { error: reportOf(error) }], stderr: said.join('') };
  } finally {
    vi.unstubAllEnvs();
  }
}

function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const command = parseCommand([...argv]);
  switch (command.name) {
    case 'move':
      return move(command, terminal);
    case 'clock':
      return confirmClock(command, terminal);
    case 'orgs':
    case 'parts':
    case 'keys':
    case 'secrets':
      return manage(command, terminal);
    case 'check':
      if (!('certificatePath' in command)) return check(command, terminal);
      break;
    default:
  }
  throw new Error(`"${command.name}" is not run here.`);
}
