import { parseThing, type GivenThing } from '../models/fit/feeding/given-thing.ts';
import type { InputSize } from '../models/fit/structure/input-size.ts';
import type { OptionValues as FitOptions } from '../models/fit/structure/options.ts';
import type { Split } from '../evidence/datasets/item/dataset-item.ts';
import { independentFrames, splitOf } from './parse-evaluate.ts';
import { inputSize, keyAndValue, wanted } from './parse-fit.ts';
import { parseOptions } from './parse-options.ts';
import { UsageError } from './usage.ts';

export interface FeedingArguments {
  readonly modelPath: string;
  readonly labelsPath: string | null;
  readonly family: string | null;
  /** for a model whose input is of any size */
  readonly inputSize: InputSize | null;
  readonly options: FitOptions;
  readonly from: GivenPictures | GivenData;
  /** pictures without a recorded sequence, or camera and time, are taken to be independent, as the user says so */
  readonly areIndependent: boolean;
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
    [independentFrames],
  );
  const [modelPath, ...more] = positionals;
  if (modelPath === undefined || more.length > 0)
    throw new UsageError(`feeding wants one model, got ${positionals.length} paths.`);
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
        ? {
            kind: 'pictures',
            pictures: byPicture(
              frames,
              answers.map((text) => wanted(() => parseThing(text))),
            ),
          }
        : { kind: 'data', dataPath, split: splitOf(values.one('split')) },
    areIndependent: values.has(independentFrames),
  };
}

function byPicture(frames: readonly string[], things: readonly GivenThing[]) {
  const pictures = new Map<string, GivenThing[]>();
  for (const [at, path] of frames.entries()) pictures.set(path, [...(pictures.get(path) ?? []), things[at]!]);
  return Array.from(pictures, ([path, of]) => ({ path, things: of }));
}
