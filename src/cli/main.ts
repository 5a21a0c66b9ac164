import packageJson from '../../package.json' with { type: 'json' };
import { reportOf } from './record/cli-error.ts';
import { whichCommand } from './which-command.ts';
import { UsageError } from './record/usage-error.ts';
import type { Terminal } from './shared/run-frames.ts';
import { commandHelp, usage, usageErrorText } from './usage.ts';

const terminal: Terminal = {
  print: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
  say: (text) => void process.stderr.write(`${text}\n`),
};

// Whoever reads stdout may stop early (`sightglass … | head -1`): then there is nobody to go on for.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

async function run(argv: readonly string[]): Promise<number> {
  const asked = whichCommand(argv);
  if ('args' in asked) return asked.command.start(asked.args, terminal);
  const text = asked.name === 'version' ? packageJson.version : ((asked.of && commandHelp(asked.of)) ?? usage);
  process.stdout.write(`${text}\n`);
  return 0;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    terminal.say(usageErrorText(error.message, process.argv[2]));
    process.exitCode = 2;
  } else {
    terminal.print({ error: reportOf(error) });
    process.exitCode = 1;
  }
}
