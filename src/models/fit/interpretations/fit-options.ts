import { asBytes, asImageNet, asSigned, asUnits, type Normalization } from '../../../machine/vision/face/feeding.ts';
import type { Outputs } from '../../../machine/vision/face/results.ts';
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
  return {
    boxes: location,
    scores: score,
    boxUnit: meant === 'absolute' ? 'pixels' : 'proportional',
    activation,
    background: classBase === 'background-first' ? 'first' : 'none',
    ...feedingOptions(input),
    // A family that pads by itself knows better than an interpretation that was tried on a stretched frame.
    ...(input.fit === 'letterbox' && { letterbox: 'pad' }),
    ...(form && { boxForm: form }),
  };
}

/**
 * Says how a model is fed as options of the guided form.
 * @param input how a frame becomes the model's numbers
 * @returns `colour`, and `values` where the form has that range
 * @example
 * feedingOptions({ bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' }); // => { colour: 'bgr', values: '0..1' }
 * feedingOptions({ bgr: false, meanValue: [0.1, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' }); // => { colour: 'rgb' }
 */
export function feedingOptions({ bgr, meanValue, stdDev }: InputInterpretation): Readonly<Record<string, string>> {
  const range = values.find(([, usual]) => isSame(usual.mean, meanValue) && isSame(usual.stdDev, stdDev));
  return { colour: bgr ? 'bgr' : 'rgb', ...(range && { values: range[0] }) };
}

/** Orders that a graph is decoded from; the others are known by no family. */
const boxForms: Readonly<Record<string, string>> = { '0,1,2,3': 'two corners', '1,0,3,2': 'two corners, y first' };

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, at) => Math.fround(value) === Math.fround(b[at] ?? b[0]!));
}
