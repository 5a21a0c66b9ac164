import {
  auditRecord,
  backupRecord,
  clockRecord,
  healthRecord,
  keysRecord,
  moveRecord,
  orgsRecord,
  partsRecord,
  peopleRecord,
  restoreRecord,
  secretsRecord,
} from './data/data-records.ts';
import { compareBackendsRecord } from './backends/compare-backends-record.ts';
import { classifyRecord, detectRecord, lintRecord, replayRecord, transformRecord } from './detect/detect-records.ts';
import {
  checkRecord,
  compareRecord,
  driftRecord,
  evaluateRecord,
  signingKeyRecord,
} from './evaluate/evaluate-records.ts';
import { completionsRecord } from './completions/completions-record.ts';
import { exportRecord } from './data/export-record.ts';
import { feedingRecord, fitRecord } from './fit/fit-records.ts';
import { parityRecord } from './parity/parity-record.ts';
import { runRecord } from './run/run-record.ts';
import { serveRecord } from './serve/serve-record.ts';
import type { CommandRecord } from './record/command.ts';
import type { Terminal } from './shared/run-frames.ts';
import { sqliteMissing } from './sqlite-missing.ts';

type Run<Arguments> = (command: Arguments, terminal: Terminal) => Promise<number>;
type Load<Arguments> = () => Promise<Run<Arguments>>;

const started = <Name extends string, Arguments>(record: CommandRecord<Name, Arguments>, load: Load<Arguments>) => ({
  ...record,
  /** Reads the arguments and runs the command. @returns the exit code @throws UsageError */
  async start(args: readonly string[], terminal: Terminal): Promise<number> {
    const command = record.read(args);
    return (await load())(command, terminal);
  },
});

const withSqlite =
  <Arguments>(load: Load<Arguments>): Load<Arguments> =>
  async () => {
    const missing = sqliteMissing(process.versions.node);
    if (missing === null) return load();
    return async (_, terminal) => {
      terminal.say(missing);
      return 1;
    };
  };

/** A command that needs a Node that has SQLite; the others need none. */
const onData = <Name extends string, Arguments>(record: CommandRecord<Name, Arguments>, load: Load<Arguments>) =>
  started(record, withSqlite(load));

const loadCheck = withSqlite(async () => (await import('./data/check.ts')).check);

const otherCommands = [
  started(detectRecord, async () => (await import('./detect/detect.ts')).detect),
  started(classifyRecord, async () => (await import('./detect/detect.ts')).classify),
  started(transformRecord, async () => (await import('./detect/detect.ts')).transform),
  started(lintRecord, async () => (await import('./detect/detect.ts')).lintConfig),
  started(fitRecord, async () => (await import('./fit/fit.ts')).fit),
  started(feedingRecord, async () => (await import('./fit/feeding.ts')).feeding),
  started(replayRecord, async () => (await import('./detect/replay.ts')).replay),
  started(parityRecord, async () => (await import('./parity/parity.ts')).parity),
  started(evaluateRecord, async () => (await import('./evaluate/evaluate.ts')).evaluate),
  started(compareRecord, async () => (await import('./evaluate/compare.ts')).compare),
  started(compareBackendsRecord, async () => (await import('./backends/compare-backends.ts')).compareBackends),
  started(driftRecord, async () => (await import('./evaluate/drift.ts')).drift),
  started(runRecord, async () => (await import('./run/run.ts')).run),
  started(exportRecord, async () => (await import('./data/export.ts')).exportRows),
  onData(serveRecord, async () => {
    const { serve } = await import('./serve/serve.ts');
    return (command, { say }) => serve(command, { print: (text) => void process.stdout.write(`${text}\n`), warn: say });
  }),
  onData(healthRecord, async () => (await import('./data/health.ts')).health),
  onData(backupRecord, async () => (await import('./data/backup.ts')).backup),
  onData(restoreRecord, async () => (await import('./data/backup.ts')).restore),
  onData(moveRecord, async () => (await import('./data/move.ts')).move),
  onData(orgsRecord, async () => (await import('./data/manage.ts')).manage),
  onData(partsRecord, async () => (await import('./data/manage.ts')).manage),
  onData(keysRecord, async () => (await import('./data/manage.ts')).manage),
  onData(peopleRecord, async () => (await import('./data/people.ts')).people),
  onData(secretsRecord, async () => (await import('./data/manage.ts')).manage),
  onData(auditRecord, async () => (await import('./data/audit.ts')).audit),
  onData(clockRecord, async () => (await import('./data/clock.ts')).confirmClock),
  started(signingKeyRecord, async () => (await import('./evaluate/signing-key.ts')).signingKey),
  started(checkRecord, async () => async (command, terminal) => {
    if (!('certificatePath' in command)) return (await loadCheck())(command, terminal);
    return (await import('./evaluate/check-certificate.ts')).checkCertificateFile(command, terminal);
  }),
] as const;

/**
 * Every command, in the order in which help lists them. Each loads what it needs: a server that held the others' libraries would
 * collect its garbage around them.
 */
export const commands = [
  ...otherCommands,
  started(completionsRecord, async () => {
    const { completions } = await import('./completions/completions.ts');
    const all = [...otherCommands, completionsRecord];
    return async (command) => completions(command, all, (text) => void process.stdout.write(text));
  }),
] as const;
