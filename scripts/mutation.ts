import { parseArgs } from 'node:util';
import { measureFolder } from './mutation/measure-folder.ts';
import { reportLines } from './mutation/report-lines.ts';

// Changes files of the named folders, one small thing at a time, and prints each change that no unit test notices:
// `npm run mutation src/remote/outbox`, or in minutes and with its uncertainty `npm run mutation -- src/machine/vision --sample 200 --seed 7`.
// `--minutes 8` ends each folder after so long, with the figure of what was drawn until then.

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '600' },
    lanes: { type: 'string', default: '1' },
  },
});
const [sample, seed] = [Number(values.sample), Number(values.seed)];
const [minutes, lanes] = [Number(values.minutes), Number(values.lanes)];
if (folders.length === 0 || !(sample >= 1) || !Number.isSafeInteger(seed) || !(minutes > 0) || !(lanes >= 1)) {
  console.error(
    'Name folders: npm run mutation -- src/remote/outbox src/machine/vision [--sample 200 --seed 7] [--lanes 4]',
  );
  process.exit(2);
}

for (const folder of folders) {
  const measured = await measureFolder(folder, { sample, seed, lanes, tell, minutes });
  for (const line of reportLines(measured)) console.log(line);
}
process.exitCode = 0; // a test that fails sets it to 1, and that is what a mutant is for

function tell(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progress}`);
}
