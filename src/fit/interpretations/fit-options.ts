import { asBytes, asImageNet, asSigned, asUnits, type Normalization } from '../../vision/preprocess/normalizations.ts';
import type { Outputs } from '../../vision/decode/outputs.ts';
import { meantSpace } from './list-interpretations.ts';
import type { DetectionInterpretation, InputInterpretation } from './interpretation.ts';

const values: readonly (readonly [string, Normalization])[] = [
  ['0..1', asUnits],
  ['-1..1', asSigned],
  ['bytes', asBytes],
  ['imagenet', asImageNet],
];

/**
 * An interpretation as options of a machine-ready export. Families have some of them, and the guided form all: what one lacks is left to it.
 */
export function fitOptionsOf(
  input: InputInterpretation,
  { location, score, boxOrder, boxForm, space, activation, classBase }: DetectionInterpretation,
  outputs: Outputs,
): Readonly<Record<string, string>> {
  const meant = space === 'machine' ? meantSpace(outputs.get(location)!) : space;
  const corners = boxForms[boxOrder.join()];
  const form = boxForm === 'two corners' ? corners : boxOrder[0] === 0 ? boxForm : undefined;
  const range = rangeOption(input);
  return {
    boxes: location,
    scores: score,
    boxUnit: meant === 'absolute' ? 'pixels' : 'proportional',
    activation,
    background: classBase === 'background-first' ? 'first' : 'none',
    colour: input.bgr ? 'bgr' : 'rgb',
    // A family that pads by itself knows better than an interpretation that was tried on a stretched frame.
    ...(input.fit === 'letterbox' && { letterbox: 'pad' }),
    ...(form && { boxForm: form }),
    ...(range !== null && { values: range }),
  };
}

/** The choice of the guided form's option *values* that feeds a model so; null: it has none. */
export function rangeOption({ meanValue, stdDev }: Pick<InputInterpretation, 'meanValue' | 'stdDev'>): string | null {
  const range = values.find(([, usual]) => isSame(usual.mean, meanValue) && isSame(usual.stdDev, stdDev));
  return range?.[0] ?? null;
}

/** Orders that a graph is decoded from; the others are known by no family. */
const boxForms: Readonly<Record<string, string>> = { '0,1,2,3': 'two corners', '1,0,3,2': 'two corners, y first' };

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, at) => Math.fround(value) === Math.fround(b[at] ?? b[0]!));
}
