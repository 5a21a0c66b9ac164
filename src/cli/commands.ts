import {
  type CheckStoreArguments,
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
} from './data-records.ts';
import { classifyRecord, detectRecord, lintRecord, replayRecord, transformRecord } from './detect-records.ts';
import { checkRecord, compareRecord, driftRecord, evaluateRecord, signingKeyRecord } from './evaluate-records.ts';
import { exportRecord } from './export-record.ts';
import { feedingRecord, fitRecord } from './fit-records.ts';
import { parityRecord } from './parity-record.ts';
import { runRecord } from './run-record.ts';
import { serveRecord } from './serve-record.ts';
import type { CommandRecord } from './record/command.ts';
import type { Terminal } from './run-frames.ts';
import { sqliteMissing } from './sqlite-missing.ts';

type Run<Arguments> = (command: Arguments, terminal: Terminal) => Promise<number>;

const started = <Name extends string, Arguments>(record: CommandRecord<Name, Arguments>, run: Run<Arguments>) => ({
  ...record,
  /** Reads the arguments and runs the command. @returns the exit code @throws UsageError */
  start: (args: readonly string[], terminal: Terminal): Promise<number> => run(record.read(args), terminal),
});

/** Of commands that need a Node that has SQLite; the others need none. */
const onData =
  <Arguments>(run: Run<Arguments>): Run<Arguments> =>
  async (command, terminal) => {
    const missing = sqliteMissing(process.versions.node);
    if (missing === null) return run(command, terminal);
    terminal.say(missing);
    return 1;
  };

const checkStore = onData(async (command: CheckStoreArguments, terminal) =>
  (await import('./check.ts')).check(command, terminal),
);

/**
 * Every command, in the order in which help lists them. Each loads what it needs: a server that held the others' libraries would
 * collect its garbage around them.
 */
export const commands = [
  started(detectRecord, async (command, terminal) => (await import('./detect.ts')).detect(command, terminal)),
  started(classifyRecord, async (command, terminal) => (await import('./detect.ts')).classify(command, terminal)),
  started(transformRecord, async (command, terminal) => (await import('./detect.ts')).transform(command, terminal)),
  started(lintRecord, async (command, terminal) => (await import('./detect.ts')).lintConfig(command, terminal)),
  started(fitRecord, async (command, terminal) => (await import('./fit.ts')).fit(command, terminal)),
  started(feedingRecord, async (command, terminal) => (await import('./feeding.ts')).feeding(command, terminal)),
  started(replayRecord, async (command, terminal) => (await import('./replay.ts')).replay(command, terminal)),
  started(parityRecord, async (command, terminal) => (await import('./parity.ts')).parity(command, terminal)),
  started(evaluateRecord, async (command, terminal) => (await import('./evaluate.ts')).evaluate(command, terminal)),
  started(compareRecord, async (command, terminal) => (await import('./compare.ts')).compare(command, terminal)),
  started(driftRecord, async (command, terminal) => (await import('./drift.ts')).drift(command, terminal)),
  started(runRecord, async (command, terminal) => (await import('./run.ts')).run(command, terminal)),
  started(exportRecord, async (command, terminal) => (await import('./export.ts')).exportRows(command, terminal)),
  started(
    serveRecord,
    onData(async (command, terminal) =>
      (await import('./serve.ts')).serve(command, {
        print: (text) =>
          void process.stdout.write(`${text}
`),
        warn: terminal.say,
      }),
    ),
  ),
  started(
    healthRecord,
    onData(async (command, terminal) => (await import('./health.ts')).health(command, terminal)),
  ),
  started(
    backupRecord,
    onData(async (command, terminal) => (await import('./backup.ts')).backup(command, terminal)),
  ),
  started(
    restoreRecord,
    onData(async (command, terminal) => (await import('./backup.ts')).restore(command, terminal)),
  ),
  started(
    moveRecord,
    onData(async (command, terminal) => (await import('./move.ts')).move(command, terminal)),
  ),
  started(
    orgsRecord,
    onData(async (command, terminal) => (await import('./manage.ts')).manage(command, terminal)),
  ),
  started(
    partsRecord,
    onData(async (command, terminal) => (await import('./manage.ts')).manage(command, terminal)),
  ),
  started(
    keysRecord,
    onData(async (command, terminal) => (await import('./manage.ts')).manage(command, terminal)),
  ),
  started(
    peopleRecord,
    onData(async (command, terminal) => (await import('./people.ts')).people(command, terminal)),
  ),
  started(
    secretsRecord,
    onData(async (command, terminal) => (await import('./manage.ts')).manage(command, terminal)),
  ),
  started(
    auditRecord,
    onData(async (command, terminal) => (await import('./audit.ts')).audit(command, terminal)),
  ),
  started(
    clockRecord,
    onData(async (command, terminal) => (await import('./clock.ts')).confirmClock(command, terminal)),
  ),
  started(signingKeyRecord, async (command, terminal) =>
    (await import('./signing-key.ts')).signingKey(command, terminal),
  ),
  started(checkRecord, async (command, terminal) =>
    'certificatePath' in command
      ? (await import('./check-certificate.ts')).checkCertificateFile(command, terminal)
      : checkStore(command, terminal),
  ),
] as const;
