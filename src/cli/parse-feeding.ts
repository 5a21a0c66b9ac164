import type { InputSize } from '../fit/input-size.ts';
import type { OptionValues as FitOptions } from '../fit/options.ts';
import type { Split } from '../datasets/dataset-item.ts';
import { splitOf } from './parse-evaluate.ts';
import { answerOf, inputSize, keyAndValue, type GivenAnswer } from './parse-fit.ts';
import { parseOptions } from './parse-options.ts';
import { usage, UsageError } from './usage.ts';

/** What a model said of a picture where it was trained. */
export interface GivenThing extends GivenAnswer {
  /** null: not given */
  readonly score: number | null;
  /** how near numbers must come: half of the last digit; of whole pixels, which may be cut off, a whole one */
  readonly within: { readonly boxPx: number; readonly score: number };
}

export interface FeedingArguments {
  readonly modelPath: string;
  readonly labelsPath: string | null;
  readonly family: string | null;
  /** for a model whose input is of any size */
  readonly inputSize: InputSize | null;
  readonly options: FitOptions;
  readonly from: GivenPictures | GivenData;
}

/** Pictures with what is expected of the model on each. */
interface GivenPictures {
  readonly kind: 'pictures';
  readonly pictures: readonly { readonly path: string; readonly things: readonly GivenThing[] }[];
}

/** Labelled frames. */
interface GivenData {
  readonly kind: 'data';
  readonly dataPath: string;
  readonly split: Split | null;
}

/** @throws UsageError */
export function parseFeeding(args: readonly string[]): FeedingArguments {
  const { values, positionals } = parseOptions(
    args,
    ['family', 'labels', 'size', 'data', 'split'],
    ['option', 'frame', 'answer'],
  );
  const [modelPath, ...more] = positionals;
  if (modelPath === undefined || more.length > 0)
    throw new UsageError(`feeding wants one model, got ${positionals.length} paths.\n\n${usage}`);
  const dataPath = values.one('data');
  const [frames, answers] = [values.many('frame'), values.many('answer')];
  if ((dataPath === null) === (frames.length === 0))
    throw new UsageError(
      'feeding wants pictures by --frame and --answer, or labelled frames by --data; give one of them.',
    );
  if (frames.length !== answers.length)
    throw new UsageError(
      `feeding wants one --frame for each --answer, in the same order; name a picture again for each of its boxes. Got ${frames.length} and ${answers.length}.`,
    );
  return {
    modelPath,
    labelsPath: values.one('labels'),
    family: values.one('family'),
    inputSize: inputSize(values.one('size')),
    options: Object.fromEntries(values.many('option').map(keyAndValue)),
    from:
      dataPath === null
        ? { kind: 'pictures', pictures: byPicture(frames, answers.map(thingOf)) }
        : { kind: 'data', dataPath, split: splitOf(values.one('split')) },
  };
}

function byPicture(frames: readonly string[], things: readonly GivenThing[]) {
  const pictures = new Map<string, GivenThing[]>();
  for (const [at, path] of frames.entries()) pictures.set(path, [...(pictures.get(path) ?? []), things[at]!]);
  return Array.from(pictures, ([path, of]) => ({ path, things: of }));
}

/** LABEL, LABEL@XMIN,YMIN,XMAX,YMAX, and either with =SCORE behind it. */
function thingOf(text: string): GivenThing {
  const [, before, scoreText] = /^(.+)=([^=]+)$/s.exec(text) ?? [];
  const answer = answerOf(before ?? text);
  const score = scoreText === undefined ? null : Number(scoreText);
  if (score !== null && !(score > 0 && score <= 1))
    throw new UsageError(`--answer wants a score from 0 to 1 behind "=", got "${text}".`);
  const box = /@(.+)$/s.exec(before ?? text)?.[1] ?? '';
  const boxDecimals = Math.max(...box.split(',').map(decimalsOf));
  return {
    ...answer,
    score,
    within: { boxPx: boxDecimals === 0 ? 1 : halfOf(boxDecimals), score: halfOf(decimalsOf(scoreText ?? '')) },
  };
}

const decimalsOf = (text: string): number => /\.(\d+)$/.exec(text.trim())?.[1]?.length ?? 0;
/** A little more than half of the last digit, for what runtimes round apart. */
const halfOf = (decimals: number): number => 0.51 * 10 ** -decimals;
