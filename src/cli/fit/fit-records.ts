import { resolve } from 'node:path';
import { parseAnswer, parseThing, type GivenThing } from '../../models/fit/feeding/given-thing.ts';
import type { InputSize, OptionValues as FitOptions } from '../../models/fit/face/structure.ts';
import { command, type ArgumentsOf } from '../record/command.ts';
import { made, option, repeated, required, together, word, type Field } from '../record/field.ts';
import { kind, type Kind } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';
import { areIndependent, runtime, split } from '../shared/service-fields.ts';

const size = kind<InputSize>('WIDTHxHEIGHT, such as 640x480', (value) => {
  const [, widthPx, heightPx] = /^([1-9]\d*)x([1-9]\d*)$/.exec(value) ?? [];
  return widthPx === undefined ? undefined : { widthPx: Number(widthPx), heightPx: Number(heightPx) };
});

const keyAndValue = kind<readonly [string, string]>('NAME=VALUE', (value) => {
  const [, key, rest] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
  return key === undefined ? undefined : [key, rest!];
});

/** An answer of the user: the things on a picture. A refusal has the words of the reader. */
const answer = <T>(parse: (value: string) => T): Kind<T> => ({
  read(value, name) {
    try {
      return parse(value);
    } catch (error) {
      throw error instanceof RangeError ? new UsageError(`--${name} wants ${error.message}`) : error;
    }
  },
});

const fitOptions: Field<FitOptions> = made(
  repeated('--option NAME=VALUE', 'an option of the fit, as scoreThreshold=0.05', keyAndValue),
  (pairs) => Object.fromEntries(pairs),
);

const modelFields = {
  modelPath: word('model'),
  labelsPath: option('--labels FILE', 'label file of the model'),
  family: option('--family NAME', 'what kind of model it is, where its structure does not tell'),
  /** for a model whose input is of any size */
  inputSize: option('--size WxH', 'for a model whose input is of any size, as 640x480', size),
  options: fitOptions,
  runtime,
};

export const fitRecord = command('fit', {
  usage: [
    'model.onnx --out fitted.onnx [--family NAME] [--labels FILE] [--size WxH] [--option NAME=VALUE]… [--frame PICTURE [--answer LABEL[@XMIN,YMIN,XMAX,YMAX]]]…',
  ],
  notes: [
    "fit writes a model that the machine takes as it is: decoding and suppression in the graph, the machine's tensor names, and beside it fitted.labels.txt and fitted.machine.json, a configuration for both. A .tflite model stays one: give --out fitted.tflite. It prints what it knew the model by, what it added, and what the written model says of the frames; exit code 1 when that cannot be right, or when the machine does not load it.",
  ],
  reads: together(
    {
      ...modelFields,
      /** ends in ".onnx" or ".tflite" */
      outPath: required('--out FILE', 'the fitted model'),
      triedOn: repeated(
        '--frame PICTURE',
        'a picture that the fitted model is tried on; otherwise photographs that come with the program',
      ),
      answers: repeated(
        '--answer LABEL',
        'what is surely on each --frame, LABEL or LABEL@XMIN,YMIN,XMAX,YMAX. Where how the model is fed is a guess, every usual way of feeding is tried on them, and that of which the model knows the answers is taken',
        answer(parseAnswer),
      ),
    },
    (values) => {
      const { modelPath, outPath, triedOn, answers } = values;
      // The machine's ONNX module takes no other extension, and none in capitals.
      if (!/\.(onnx|tflite)$/.test(outPath))
        throw new UsageError(
          `--out wants a file that ends in ".onnx" or ".tflite", as the model does, got "${outPath}".`,
        );
      if (resolve(outPath) === resolve(modelPath))
        throw new UsageError('--out is the model itself; give another file.');
      if (answers.length > 0 && answers.length !== triedOn.length)
        throw new UsageError(
          `--answer says what is on a picture: give one for each --frame, in the same order. Got ${answers.length} for ${triedOn.length}.`,
        );
      return values;
    },
  ),
});
export type FitArguments = ArgumentsOf<typeof fitRecord>;

export const feedingRecord = command('feeding', {
  usage: [
    'model.onnx [--family NAME] [--labels FILE] [--size WxH] [--option NAME=VALUE]… --frame PICTURE --answer LABEL[@XMIN,YMIN,XMAX,YMAX[=SCORE]]… | --data coco.json|data.yaml|DIR [--split val] [--independent-frames]',
  ],
  notes: [
    "feeding searches for how a model was fed in training: the resize of which library, border or crop, colours and values. It wants a picture and what the model said of it there (one --frame and --answer a box, with its score where it is known), or labelled frames. It prints the recipe, those that it cannot tell apart from it, what the machine's own feeding loses against it, and what wins that back; exit code 1 when the model knows the answers by no recipe.",
  ],
  reads: together(
    {
      ...modelFields,
      frames: repeated('--frame PICTURE', 'a picture, again for each of its boxes'),
      answers: repeated(
        '--answer LABEL',
        'what the model said of it: LABEL, LABEL@XMIN,YMIN,XMAX,YMAX or LABEL@…=SCORE',
        answer(parseThing),
      ),
      dataPath: option('--data PATH', 'labelled frames, as for evaluate'),
      split,
      areIndependent,
    },
    ({ frames, answers, dataPath, split: part, ...rest }) => {
      if ((dataPath === null) === (frames.length === 0))
        throw new UsageError(
          'feeding wants pictures by --frame and --answer, or labelled frames by --data; give one of them.',
        );
      if (frames.length !== answers.length)
        throw new UsageError(
          `feeding wants one --frame for each --answer, in the same order; name a picture again for each of its boxes. Got ${frames.length} and ${answers.length}.`,
        );
      const from =
        dataPath === null
          ? { kind: 'pictures' as const, pictures: byPicture(frames, answers) }
          : { kind: 'data' as const, dataPath, split: part };
      return { ...rest, from };
    },
  ),
});
export type FeedingArguments = ArgumentsOf<typeof feedingRecord>;

/** Pictures with what is expected of the model on each. */
function byPicture(frames: readonly string[], things: readonly GivenThing[]) {
  const pictures = new Map<string, GivenThing[]>();
  for (const [at, path] of frames.entries()) pictures.set(path, [...(pictures.get(path) ?? []), things[at]!]);
  return Array.from(pictures, ([path, of]) => ({ path, things: of }));
}
