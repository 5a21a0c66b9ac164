import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import type { GraphBuilder } from '../../../onnx/edit-model.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const cells = 12 * 8 + 6 * 4 + 3 * 2;
const strides = [...Array<number>(96).fill(8), ...Array<number>(24).fill(16), ...Array<number>(6).fill(32)];

type Ending = (build: GraphBuilder, boxes: string) => string;

/** A head of YOLOv8 as exporters write it: distances become boxes, and `ending` says in what unit. */
function model(ending: Ending, producer = 'pytorch') {
  return headModel({ ...size, producer }, (build) => {
    const summed = build.add('Add', [
      build.floats([1, 4, cells], new Float32Array(4 * cells).fill(3)),
      build.floats([], [0.5]),
    ]);
    const centres = build.add('Div', [summed, build.floats([], [2])]);
    const scores = build.add('Sigmoid', [build.floats([1, 2, cells], new Float32Array(2 * cells).fill(logit(0.3)))]);
    const output = build.add('Concat', [ending(build, centres), scores], { axis: { int: 1 } });
    build.output('output0', output, 'float32', [1, 6, cells]);
  });
}

const mul = (build: GraphBuilder, boxes: string, shape: readonly number[], values: readonly number[]) =>
  build.add('Mul', [boxes, build.floats(shape, values)]);
const byStrides: Ending = (build, boxes) => mul(build, boxes, [1, 1, cells], strides);
const sides = [96, 64, 96, 64];
const endings: Readonly<Record<string, Ending>> = {
  strides: byStrides,
  'strides, then a division by the sides': (build, boxes) =>
    build.add('Div', [byStrides(build, boxes), build.floats([1, 4, 1], sides)]),
  'strides, then a product with one over the sides': (build, boxes) =>
    mul(
      build,
      byStrides(build, boxes),
      [1, 4, 1],
      sides.map((side) => 1 / side),
    ),
  'strides, then a product with one over a side in float16': (build, boxes) =>
    // 1/96 as the nearest number of half precision, which is off by 2.4 in 10,000
    mul(build, byStrides(build, boxes), [1, 4, 1], [0.01041412353515625, 1 / 64, 0.01041412353515625, 1 / 64]),
  'strides as shares': (build, boxes) =>
    mul(
      build,
      mul(build, boxes, [1, 4, 1], [1, 1, 1, 1]),
      [1, 4, cells],
      sides.flatMap((side) => strides.map((stride) => stride / side)),
    ),
  'shares that are made pixels': (build, boxes) =>
    mul(build, build.add('Div', [boxes, build.floats([1, 4, 1], sides)]), [1, 4, 1], sides),
  'a turned constant': (build, boxes) => {
    const turned = build.add('Transpose', [build.floats([1, 1, 4], sides)], { perm: { ints: [0, 2, 1] } });
    return build.add('Div', [byStrides(build, boxes), turned]);
  },
  'nothing that tells': (build, boxes) => mul(build, boxes, [], [0.5]),
};

describe('the unit of boxes', () => {
  it.each([
    ['strides', 'pytorch', 'pixels', /multiplied by strides \(8, 16, 32\)/],
    ['strides', 'tf2onnx', 'pixels', /multiplied by strides/],
    [
      'strides, then a division by the sides',
      'tf2onnx',
      'proportional',
      /divided by the sides of the input \(96 and 64\)/,
    ],
    ['strides, then a division by the sides', 'pytorch', 'proportional', /divided by the sides/],
    ['strides, then a product with one over the sides', 'tf2onnx', 'proportional', /divided by the sides/],
    ['strides, then a product with one over a side in float16', 'tf2onnx', 'proportional', /divided by the sides/],
    ['strides as shares', 'tf2onnx', 'proportional', /strides as shares/],
    ['shares that are made pixels', 'tf2onnx', 'pixels', /multiplied by the sides/],
    ['a turned constant', 'pytorch', 'proportional', /divided by the sides/],
    ['nothing that tells', 'tf2onnx', 'proportional', /Written by tf2onnx.*usually/],
  ])('is known from %s, written by %s: %s', (ending, producer, unit, why) => {
    const { options, evidence, family } = fitModel(model(endings[ending]!, producer));
    expect(family.id).toBe('yolo-v8');
    expect(options['boxUnit']).toBe(unit);
    expect(evidence).toContainEqual(expect.stringMatching(why));
  });

  it('is pixels, without a word, where nothing tells', () => {
    const { options, evidence } = fitModel(model(endings['nothing that tells']!));
    expect(options['boxUnit']).toBe('pixels');
    expect(evidence.join(' ')).not.toMatch(/pixels|shares/);
  });

  it('is what a person chooses, whatever the graph says', () => {
    const { options } = fitModel(model(endings['strides']!), { options: { boxUnit: 'proportional' } });
    expect(options['boxUnit']).toBe('proportional');
  });
});
