import { type DatasetFormat, datasetFormats } from '../../evidence/datasets/face/formats.ts';
import { usualHoldMs } from '../../evidence/footage/changes.ts';
import type { FootageRule } from '../../evidence/footage/choose-frames.ts';
import type { FrameChoice } from '../../evidence/footage/run-setup.ts';
import { command, type ArgumentsOf } from '../record/command.ts';
import { flag, option, repeated, required, together, usual } from '../record/field.ts';
import { integerFrom, kind, number, oneOf, share, type Kind } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';
import { serviceFields, serviceUsage } from '../shared/service-fields.ts';

const footage = together(
  {
    video: option('--video FILE', 'a whole video, read by ffmpeg, which is started by that name'),
    frames: option('--frames DIR', 'a folder of pictures'),
  },
  ({ video, frames }) => {
    if (video !== null && frames !== null) throw new UsageError('run was given both --video and --frames; give one.');
    if (video !== null) return { kind: 'video' as const, path: video };
    if (frames !== null) return { kind: 'folder' as const, path: frames };
    throw new UsageError(`run wants --video FILE, or --frames DIR.`);
  },
);

/** Seconds ("90", "7.04"), or minutes and hours as players write them ("1:30", "1:02:03.5"), in ms. */
const timeMs = kind('a time as 90, 7.04, 1:30 or 1:02:03.5', (value) =>
  /^(\d+:){0,2}\d+(\.\d+)?$/.test(value)
    ? Math.round(1000 * value.split(':').reduce((whole, part) => 60 * whole + Number(part), 0))
    : undefined,
);

const choice = together(
  {
    every: usual('--every N', 'run each N-th frame', integerFrom(1), 1),
    fromMs: usual('--from TIME', 'from this time on, as 90, 7.04 or 1:30', timeMs, 0),
    toMs: option('--to TIME', 'up to this time', timeMs),
    fps: option(
      '--fps N',
      'how many pictures of a folder make a second (1)',
      number('a number above 0', (value) => value > 0 && value < Infinity),
    ),
  },
  ({ fps, ...rest }, { one, has }): FrameChoice => {
    if (has('video') && fps !== null)
      throw new UsageError('--fps says how many pictures of --frames make a second; a video has times of its own.');
    if (rest.toMs !== null && rest.toMs < rest.fromMs)
      throw new UsageError(`--to ${one('to')} lies before --from ${one('from')}.`);
    return { ...rest, framesPerSecond: has('video') ? null : (fps ?? 1) };
  },
);

/** How long a label is away until it appears again. */
const absentForMs = 1000;

const rule: Kind<FootageRule> = kind(
  'every:N, interval:SECONDS, change[:SECONDS], label:LABEL or score:LOW-HIGH[:LABEL]',
  (value) => {
    const [, named = '', rest = null] = /^([a-z]+)(?::(.+))?$/s.exec(value) ?? [];
    if (named === 'change')
      return { kind: 'change', holdMs: rest === null ? usualHoldMs : timeMs.read(rest, 'dataset change') };
    if (rest === null) return undefined;
    if (named === 'every' && /^[1-9]\d*$/.test(rest)) return { kind: 'every', frames: Number(rest) };
    if (named === 'interval') return { kind: 'interval', everyMs: timeMs.read(rest, 'dataset interval') };
    if (named === 'label') return { kind: 'label-appears', label: rest, absentForMs };
    const [, low, high, label = null] = (named === 'score' && /^([\d.]+)-([\d.]+)(?::(.+))?$/s.exec(rest)) || [];
    if (low === undefined || high === undefined) return undefined;
    const bounds = { low: share.read(low, 'dataset score'), high: share.read(high, 'dataset score') };
    return { kind: 'score-between', label, ...bounds };
  },
);

const formats = Object.keys(datasetFormats) as DatasetFormat[];

const dataset = together(
  {
    rules: repeated(
      '--dataset RULE',
      'write frames with their boxes into DIR/dataset: every:N, interval:SECONDS, change[:SECONDS], label:LABEL or score:LOW-HIGH[:LABEL]',
      rule,
    ),
    format: option('--dataset-format FORMAT', 'its format (coco)', oneOf(formats, `one of ${formats.join(', ')}`)),
  },
  ({ rules, format }) => {
    if (rules.length === 0 && format !== null)
      throw new UsageError('--dataset-format goes with --dataset RULE, which chooses the frames.');
    return rules.length === 0 ? null : { rules, format: format ?? 'coco' };
  },
);

export const runRecord = command('run', {
  usage: [
    `${serviceUsage} --out DIR --video FILE | --frames DIR [--fps N]   [--every N] [--from T] [--to T] [--draw] [--dataset RULE]… [--dataset-format FORMAT]`,
  ],
  notes: [
    'run looks at a whole video or folder, a frame in memory at a time, and writes into DIR frames.jsonl (results before the thresholds), results.csv, report.html, report.json and labels.csv. After Ctrl+C (exit code 130) the same command goes on; with other thresholds it filters again, and runs no frame again.',
  ],
  noWords: 'give a video by --video, or a folder by --frames',
  reads: together({
    ...serviceFields,
    footage,
    outDir: required('--out DIR', 'folder for what is written'),
    choice,
    /** write what the machine would draw, too */
    draws: flag('--draw', 'write annotated.mp4, or the pictures of a folder, with what the machine draws'),
    dataset,
  }),
});
export type RunArguments = ArgumentsOf<typeof runRecord>;
