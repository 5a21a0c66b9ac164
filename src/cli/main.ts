import packageJson from '../../package.json' with { type: 'json' };
import { parseCommand, type Command } from './arguments.ts';
import { reportOf } from './cli-error.ts';
import type { Terminal } from './run-frames.ts';
import type {
  AuditArguments,
  PeopleArguments,
  BackupArguments,
  FolderArguments,
  HealthArguments,
  ManageArguments,
  MoveArguments,
} from './serve-arguments.ts';
import { commandHelp, usage, usageErrorText, UsageError } from './usage.ts';
import { sqliteMissing } from './sqlite-missing.ts';

type ServeCommand = Extract<Command, { readonly name: 'serve' }>;

const terminal: Terminal = {
  print: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
  say: (text) => void process.stderr.write(`${text}\n`),
};

/** Each command loads what it needs: a server that held the others' libraries would collect its garbage around them. */
async function run(command: Command): Promise<number> {
  switch (command.name) {
    case 'help':
      process.stdout.write(`${(command.of && commandHelp(command.of)) ?? usage}\n`);
      return 0;
    case 'version':
      process.stdout.write(`${packageJson.version}\n`);
      return 0;
    case 'detect':
      return (await import('./commands.ts')).detect(command, terminal);
    case 'classify':
      return (await import('./commands.ts')).classify(command, terminal);
    case 'transform':
      return (await import('./commands.ts')).transform(command, terminal);
    case 'lint':
      return (await import('./commands.ts')).lintConfig(command, terminal);
    case 'fit':
      return (await import('./fit.ts')).fit(command, terminal);
    case 'feeding':
      return (await import('./feeding.ts')).feeding(command, terminal);
    case 'replay':
      return (await import('./replay.ts')).replay(command, terminal);
    case 'parity':
      return (await import('./parity.ts')).parity(command, terminal);
    case 'evaluate':
      return (await import('./evaluate.ts')).evaluate(command, terminal);
    case 'compare':
      return (await import('./compare.ts')).compare(command, terminal);
    case 'drift':
      return (await import('./drift.ts')).drift(command, terminal);
    case 'signing-key':
      return (await import('./signing-key.ts')).signingKey(command, terminal);
    case 'check':
      return 'certificatePath' in command
        ? (await import('./check-certificate.ts')).checkCertificateFile(command, terminal)
        : runOnData(command);
    case 'export':
      return (await import('./export.ts')).exportRows(command, terminal);
    case 'run':
      return (await import('./run.ts')).run(command, terminal);
    case 'serve':
    case 'health':
    case 'backup':
    case 'restore':
    case 'move':
    case 'clock':
    case 'orgs':
    case 'parts':
    case 'keys':
    case 'secrets':
    case 'audit':
    case 'people':
      return runOnData(command);
  }
}

/** Loaded only here: the other commands need neither a server nor a Node that has SQLite. */
async function runOnData(
  command:
    | ServeCommand
    | AuditArguments
    | PeopleArguments
    | HealthArguments
    | BackupArguments
    | FolderArguments
    | ManageArguments
    | MoveArguments,
): Promise<number> {
  const missing = sqliteMissing(process.versions.node);
  if (missing !== null) {
    terminal.say(missing);
    return 1;
  }
  if (command.name === 'serve') {
    const { serve } = await import('./serve.ts');
    return serve(command, { print: (text) => void process.stdout.write(`${text}\n`), warn: terminal.say });
  }
  if (command.name === 'audit') return (await import('./audit.ts')).audit(command, terminal);
  if (command.name === 'people') return (await import('./people.ts')).people(command, terminal);
  if (command.name === 'health') return (await import('./health.ts')).health(command, terminal);
  if (command.name === 'clock') {
    const { confirmClock } = await import('./clock.ts');
    return confirmClock(command, terminal);
  }
  if (command.name === 'check') {
    const { check } = await import('./check.ts');
    return check(command, terminal);
  }
  if (command.name === 'move') {
    const { move } = await import('./move.ts');
    return move(command, terminal);
  }
  if (isBackup(command)) {
    const { backup, restore } = await import('./backup.ts');
    return (command.name === 'backup' ? backup : restore)(command, terminal);
  }
  const { manage } = await import('./manage.ts');
  return manage(command, terminal);
}

const isBackup = (command: BackupArguments | ManageArguments): command is BackupArguments =>
  command.name === 'backup' || command.name === 'restore';

// Whoever reads stdout may stop early (`sightglass … | head -1`): then there is nobody to go on for.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  process.exitCode = await run(parseCommand(process.argv.slice(2)));
} catch (error) {
  if (error instanceof UsageError) {
    terminal.say(usageErrorText(error.message, process.argv[2]));
    process.exitCode = 2;
  } else {
    terminal.print({ error: reportOf(error) });
    process.exitCode = 1;
  }
}
