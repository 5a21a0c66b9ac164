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
} from './data/data-records.ts';
import { classifyRecord, detectRecord, lintRecord, replayRecord, transformRecord } from './detect/detect-records.ts';
import {
  checkRecord,
  compareRecord,
  driftRecord,
  evaluateRecord,
  signingKeyRecord,
} from './evaluate/evaluate-records.ts';
import { exportRecord } from './data/export-record.ts';
import { feedingRecord, fitRecord } from './fit/fit-records.ts';
import { parityRecord } from './parity/parity-record.ts';
import { runRecord } from './run/run-record.ts';
import { serveRecord } from './serve/serve-record.ts';
import type { CommandRecord } from './record/command.ts';
import type { Terminal } from './shared/run-frames.ts';
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
  (await import('./data/check.ts')).check(command, terminal),
);

/**
 * Every command, in the order in which help lists them. Each loads what it needs: a server that held the others' libraries would
 * collect its garbage around them.
 */
export const commands = [
  started(detectRecord, async (command, terminal) => (await import('./detect/detect.ts')).detect(command, terminal)),
  started(classifyRecord, async (command, terminal) =>
    (await import('./detect/detect.ts')).classify(command, terminal),
  ),
  started(transformRecord, async (command, terminal) =>
    (await import('./detect/detect.ts')).transform(command, terminal),
  ),
  started(lintRecord, async (command, terminal) => (await import('./detect/detect.ts')).lintConfig(command, terminal)),
  started(fitRecord, async (command, terminal) => (await import('./fit/fit.ts')).fit(command, terminal)),
  started(feedingRecord, async (command, terminal) => (await import('./fit/feeding.ts')).feeding(command, terminal)),
  started(replayRecord, async (command, terminal) => (await import('./detect/replay.ts')).replay(command, terminal)),
  started(parityRecord, async (command, terminal) => (await import('./parity/parity.ts')).parity(command, terminal)),
  started(evaluateRecord, async (command, terminal) =>
    (await import('./evaluate/evaluate.ts')).evaluate(command, terminal),
  ),
  started(compareRecord, async (command, terminal) =>
    (await import('./evaluate/compare.ts')).compare(command, terminal),
  ),
  started(driftRecord, async (command, terminal) => (await import('./evaluate/drift.ts')).drift(command, terminal)),
  started(runRecord, async (command, terminal) => (await import('./run/run.ts')).run(command, terminal)),
  started(exportRecord, async (command, terminal) => (await import('./data/export.ts')).exportRows(command, terminal)),
  started(
    serveRecord,
    onData(async (command, terminal) =>
      (await import('./serve/serve.ts')).serve(command, {
        print: (text) =>
          void process.stdout.write(`${text}
`),
        warn: terminal.say,
      }),
    ),
  ),
  started(
    healthRecord,
    onData(async (command, terminal) => (await import('./data/health.ts')).health(command, terminal)),
  ),
  started(
    backupRecord,
    onData(async (command, terminal) => (await import('./data/backup.ts')).backup(command, terminal)),
  ),
  started(
    restoreRecord,
    onData(async (command, terminal) => (await import('./data/backup.ts')).restore(command, terminal)),
  ),
  started(
    moveRecord,
    onData(async (command, terminal) => (await import('./data/move.ts')).move(command, terminal)),
  ),
  started(
    orgsRecord,
    onData(async (command, terminal) => (await import('./data/manage.ts')).manage(command, terminal)),
  ),
  started(
    partsRecord,
    onData(async (command, terminal) => (await import('./data/manage.ts')).manage(command, terminal)),
  ),
  started(
    keysRecord,
    onData(async (command, terminal) => (await import('./data/manage.ts')).manage(command, terminal)),
  ),
  started(
    peopleRecord,
    onData(async (command, terminal) => (await import('./data/people.ts')).people(command, terminal)),
  ),
  started(
    secretsRecord,
    onData(async (command, terminal) => (await import('./data/manage.ts')).manage(command, terminal)),
  ),
  started(
    auditRecord,
    onData(async (command, terminal) => (await import('./data/audit.ts')).audit(command, terminal)),
  ),
  started(
    clockRecord,
    onData(async (command, terminal) => (await import('./data/clock.ts')).confirmClock(command, terminal)),
  ),
  started(signingKeyRecord, async (command, terminal) =>
    (await import('./evaluate/signing-key.ts')).signingKey(command, terminal),
  ),
  started(checkRecord, async (command, terminal) =>
    'certificatePath' in command
      ? (await import('./evaluate/check-certificate.ts')).checkCertificateFile(command, terminal)
      : checkStore(command, terminal),
  ),
] as const;
