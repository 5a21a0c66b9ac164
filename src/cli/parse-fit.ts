import { resolve } from 'node:path';
import type { OptionValues as FitOptions } from '../models/fit/structure/options.ts';
import { parseAnswer, type GivenAnswer } from '../models/fit/feeding/given-thing.ts';
import type { InputSize } from '../models/fit/structure/input-size.ts';
import { parseOptions, required } from './parse-options.ts';
import { UsageError } from './usage.ts';

export interface FitArguments {
  readonly modelPath: string;
  /** ends in ".onnx" or ".tflite" */
  readonly outPath: string;
  readonly labelsPath: string | null;
  /** pictures that the fitted model is tried on; []: photographs that come with the program */
  readonly triedOn: readonly string[];
  /** what is on each of them; []: not given */
  readonly answers: readonly GivenAnswer[];
  readonly family: string | null;
  /** for a model whose input is of any size */
  readonly inputSize: InputSize | null;
  readonly options: FitOptions;
}

/** @throws UsageError */
export function parseFit(args: readonly string[]): FitArguments {
  const { values, positionals } = parseOptions(
    args,
    ['out', 'family', 'labels', 'size'],
    ['option', 'frame', 'answer'],
  );
  const [modelPath, ...more] = positionals;
  if (modelPath === undefined || more.length > 0) {
    throw new UsageError(`fit wants one model, got ${positionals.length} paths.`);
  }
  const outPath = required('fit', 'out', values);
  // The machine's ONNX module takes no other extension, and none in capitals.
  if (!/\.(onnx|tflite)$/.test(outPath))
    throw new UsageError(`--out wants a file that ends in ".onnx" or ".tflite", as the model does, got "${outPath}".`);
  if (resolve(outPath) === resolve(modelPath)) throw new UsageError('--out is the model itself; give another file.');
  const triedOn = values.many('frame');
  const answers = values.many('answer').map((text) => wanted(() => parseAnswer(text)));
  if (answers.length > 0 && answers.length !== triedOn.length)
    throw new UsageError(
      `--answer says what is on a picture: give one for each --frame, in the same order. Got ${answers.length} for ${triedOn.length}.`,
    );
  return {
    modelPath,
    outPath,
    labelsPath: values.one('labels'),
    triedOn,
    answers,
    family: values.one('family'),
    inputSize: inputSize(values.one('size')),
    options: Object.fromEntries(values.many('option').map(keyAndValue)),
  };
}

/** @throws UsageError */
export function inputSize(text: string | null): InputSize | null {
  if (text === null) return null;
  const [, widthPx, heightPx] = /^([1-9]\d*)x([1-9]\d*)$/.exec(text) ?? [];
  if (widthPx === undefined) throw new UsageError(`--size wants WIDTHxHEIGHT, such as 640x480, got "${text}".`);
  return { widthPx: Number(widthPx), heightPx: Number(heightPx) };
}

/** @throws UsageError */
export function keyAndValue(text: string): [string, string] {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === undefined) throw new UsageError(`--option wants NAME=VALUE, got "${text}".`);
  return [key, value!];
}

/** @throws UsageError with the words of what an answer wants */
export function wanted<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(`--answer wants ${error.message}`) : error;
  }
}
