import { expect, it } from 'vitest';
import { asImageNet, asUnits } from '../../../machine/vision/preprocess/normalizations.ts';
import type { Outputs } from '../../../machine/vision/decode/outputs.ts';
import { fitOptionsOf } from './fit-options.ts';
import type { DetectionInterpretation, InputInterpretation } from './interpretation.ts';

const input: InputInterpretation = { bgr: false, meanValue: asUnits.mean, stdDev: asUnits.stdDev, fit: 'stretch' };
const output: DetectionInterpretation = {
  kind: 'detections',
  location: 'loc',
  category: null,
  score: 'conf',
  boxOrder: [1, 0, 3, 2],
  boxForm: 'two corners',
  space: 'machine',
  activation: 'sigmoid',
  classBase: 0,
};
const outputs = (largest: number): Outputs => new Map([['loc', { dtype: 'float32', shape: [1, 1, 4], data: Float32Array.of(0, 0, largest, 1) }]]); // prettier-ignore

it('says an interpretation by the options that families and the guided form have', () => {
  expect(fitOptionsOf(input, output, outputs(1))).toEqual({
    boxes: 'loc',
    scores: 'conf',
    boxForm: 'two corners, y first',
    boxUnit: 'proportional',
    activation: 'sigmoid',
    background: 'none',
    colour: 'rgb',
    values: '0..1',
  });
});

it.each<[string, Partial<InputInterpretation>, Partial<DetectionInterpretation>, object]>([
  ['pixels, by the numbers themselves', {}, {}, { boxUnit: 'pixels' }],
  ['parts, by the interpretation', {}, { space: 'proportional' }, { boxUnit: 'proportional' }],
  ['x first', {}, { boxOrder: [0, 1, 2, 3] }, { boxForm: 'two corners' }],
  ['a centre', {}, { boxForm: 'centre and size', boxOrder: [0, 1, 2, 3] }, { boxForm: 'centre and size' }],
  ['a background', {}, { classBase: 'background-first' }, { background: 'first' }],
  ['a margin', { fit: 'letterbox' }, {}, { letterbox: 'pad' }],
  ['blue first', { bgr: true }, {}, { colour: 'bgr' }],
  ['a range', { meanValue: asImageNet.mean, stdDev: asImageNet.stdDev }, {}, { values: 'imagenet' }],
])('tells %s', (_, fed, read, options) => {
  expect(fitOptionsOf({ ...input, ...fed }, { ...output, ...read }, outputs(300))).toMatchObject(options);
});

it('leaves out what no option says: another order, another range', () => {
  const odd = fitOptionsOf({ ...input, stdDev: [2, 2, 2] }, { ...output, boxOrder: [0, 2, 1, 3] }, outputs(1));
  expect(Object.keys(odd)).not.toEqual(expect.arrayContaining(['boxForm', 'values', 'letterbox']));
  expect([odd['boxForm'], odd['values'], odd['letterbox']]).toEqual([undefined, undefined, undefined]);
});
