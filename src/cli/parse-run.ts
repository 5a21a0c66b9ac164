import { datasetFormats, type DatasetFormat } from '../evidence/datasets/dataset-formats.ts';
import { usualHoldMs } from '../evidence/footage/changes.ts';
import type { FootageRule } from '../evidence/footage/choose-frames.ts';
import type { FrameChoice } from '../evidence/footage/run-setup.ts';
import type { EvaluatedService } from './parse-evaluate.ts';
import { integer, parseOptions, required, type OptionValues } from './parse-options.ts';
import { share } from './parse-evaluate.ts';
import { UsageError } from './usage.ts';

export interface RunArguments extends Omit<EvaluatedService, 'kind'> {
  readonly footage: { readonly kind: 'video' | 'folder'; readonly path: string };
  readonly outDir: string;
  readonly choice: FrameChoice;
  /** write what the machine would draw, too */
  readonly draws: boolean;
  /** null: no dataset */
  readonly dataset: { readonly rules: readonly FootageRule[]; readonly format: DatasetFormat } | null;
}

const single = 'config vision camera source video frames out every from to fps dataset-format'.split(' ');

/** @throws UsageError */
export function parseRun(
  args: readonly string[],
  serviceOf: (command: string, values: OptionValues) => Omit<EvaluatedService, 'kind'>,
): RunArguments {
  const { values, positionals } = parseOptions(
    args,
    single,
    ['model', 'labels', 'dataset'],
    ['strict', 'no-strict', 'draw'],
  );
  if (positionals.length > 0)
    throw new UsageError(
      `run takes options only, got "${positionals[0]}": give a video by --video, or a folder by --frames.`,
    );
  const footage = footageOf(values);
  return {
    ...serviceOf('run', values),
    footage,
    outDir: required('run', 'out', values),
    choice: choiceOf(footage.kind, values),
    draws: values.has('draw'),
    dataset: datasetOf(values),
  };
}

function footageOf(values: OptionValues): RunArguments['footage'] {
  const [video, frames] = [values.one('video'), values.one('frames')];
  if ((video === null) === (frames === null))
    throw new UsageError(
      video === null
        ? `run wants --video FILE, or --frames DIR.`
        : 'run was given both --video and --frames; give one.',
    );
  return video === null ? { kind: 'folder', path: frames! } : { kind: 'video', path: video };
}

function choiceOf(kind: 'video' | 'folder', values: OptionValues): FrameChoice {
  const [every, fps] = [integer('every', values.one('every') ?? '1'), values.one('fps')];
  if (every < 1) throw new UsageError(`--every wants a whole number from 1, got "${every}".`);
  if (kind === 'video' && fps !== null)
    throw new UsageError('--fps says how many pictures of --frames make a second; a video has times of its own.');
  const framesPerSecond = Number(fps ?? '1');
  if (!(framesPerSecond > 0 && framesPerSecond < Infinity))
    throw new UsageError(`--fps wants a number above 0, got "${fps}".`);
  const [from, to] = [values.one('from'), values.one('to')];
  const fromMs = from === null ? 0 : timeOf('from', from);
  const toMs = to === null ? null : timeOf('to', to);
  if (toMs !== null && toMs < fromMs) throw new UsageError(`--to ${to} lies before --from ${from ?? '0'}.`);
  return { every, fromMs, toMs, framesPerSecond: kind === 'folder' ? framesPerSecond : null };
}

/** Seconds ("90", "7.04"), or minutes and hours as players write them ("1:30", "1:02:03.5"), in ms. */
function timeOf(option: string, text: string): number {
  if (!/^(\d+:){0,2}\d+(\.\d+)?$/.test(text))
    throw new UsageError(`--${option} wants a time as 90, 7.04, 1:30 or 1:02:03.5, got "${text}".`);
  return Math.round(1000 * text.split(':').reduce((whole, part) => 60 * whole + Number(part), 0));
}

function datasetOf(values: OptionValues): RunArguments['dataset'] {
  const rules = values.many('dataset').map(ruleOf);
  const format = values.one('dataset-format');
  if (rules.length === 0) {
    if (format !== null) throw new UsageError('--dataset-format goes with --dataset RULE, which chooses the frames.');
    return null;
  }
  if (format !== null && !Object.hasOwn(datasetFormats, format))
    throw new UsageError(`--dataset-format wants one of ${Object.keys(datasetFormats).join(', ')}, got "${format}".`);
  return { rules, format: (format as DatasetFormat | null) ?? 'coco' };
}

/** How long a label is away until it appears again. */
const absentForMs = 1000;

function ruleOf(text: string): FootageRule {
  const [, kind = '', rest = null] = /^([a-z]+)(?::(.+))?$/s.exec(text) ?? [];
  if (kind === 'every' && rest !== null && /^[1-9]\d*$/.test(rest)) return { kind: 'every', frames: Number(rest) };
  if (kind === 'interval' && rest !== null) return { kind: 'interval', everyMs: timeOf('dataset interval', rest) };
  if (kind === 'change')
    return { kind: 'change', holdMs: rest === null ? usualHoldMs : timeOf('dataset change', rest) };
  if (kind === 'label' && rest !== null) return { kind: 'label-appears', label: rest, absentForMs };
  const [, low, high, label = null] = (kind === 'score' && /^([\d.]+)-([\d.]+)(?::(.+))?$/s.exec(rest ?? '')) || [];
  if (low !== undefined && high !== undefined) {
    const bounds = { low: share('dataset score', low), high: share('dataset score', high) };
    return { kind: 'score-between', label, ...bounds };
  }
  throw new UsageError(
    `--dataset wants every:N, interval:SECONDS, change[:SECONDS], label:LABEL or score:LOW-HIGH[:LABEL], got "${text}".`,
  );
}
