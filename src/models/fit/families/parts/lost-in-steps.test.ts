import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../../tests/fit/head-models.ts';
import { tfliteHead } from '../../../../../tests/fit/tflite-heads.ts';
import { fitModel } from '../../fit-model.ts';
import { recogniseModel } from '../../recognise-model.ts';

const cells = 84;
const zeros = (...shape: readonly number[]) => [shape, new Float32Array(shape.reduce((a, b) => a * b))] as const;

/** YOLOX as it is before its grid is decoded, all of it in int8 steps of one size. */
function yoloxIn(scale: number, zeroPoint: number) {
  return tfliteHead({}, ({ build, layer, quantised }) => {
    const parts = [4, 1, 3].map((columns) => layer(...zeros(1, cells, columns)));
    const [boxes, ...scores] = parts as [string, ...string[]];
    const joined = build.add('Concat', [boxes, ...scores.map((one) => build.add('Sigmoid', [one]))], {
      axis: { int: 2 },
    });
    return { output: quantised(joined, 'int8', scale, zeroPoint) };
  });
}

/** YOLOv8 whose boxes are pixels, in int8 steps of one size. */
function yoloV8In(scale: number) {
  return tfliteHead({}, ({ build, layer, quantised }) => {
    const boxes = build.add('Mul', [layer(...zeros(1, 4, cells)), build.floats([1, 1, 1], [8])]);
    const scores = build.add('Sigmoid', [layer(...zeros(1, 3, cells))]);
    return { output: quantised(build.add('Concat', [boxes, scores], { axis: { int: 1 } }), 'int8', scale, -128) };
  });
}

/** The same in ONNX: quantised, and made numbers of again, as quantize_static leaves outputs. */
function onnxYoloV8In(scale: number, zero: 'int8' | 'uint8' | null) {
  return headModel({}, (build) => {
    const boxes = build.add('Mul', [build.floats(...zeros(1, 4, cells)), build.floats([], [8])]);
    const scores = build.add('Sigmoid', [build.floats(...zeros(1, 3, cells))]);
    const joined = build.add('Concat', [boxes, scores], { axis: { int: 1 } });
    const lowest = zero === 'int8' ? Int8Array.of(-128) : Uint8Array.of(0);
    const zeroPoint = zero === null ? [] : [build.constant(zero, [], lowest)];
    const steps = build.add('QuantizeLinear', [joined, build.floats([], [scale]), ...zeroPoint]);
    build.output('o', build.add('DequantizeLinear', [steps, build.floats([], [scale]), ...zeroPoint]), 'float32', [
      1,
      7,
      cells,
    ]);
  });
}

/** Rows that the graph has chosen, in steps of one size. */
function chosenRowsIn(scale: number) {
  return headModel({}, (build) => {
    const [, best] = build.addMany('TopK', [build.floats(...zeros(20)), build.ints([1], [20])], 2) as [string, string];
    const rows = build.add('Unsqueeze', [
      build.add('Gather', [build.floats(...zeros(20, 6)), best]),
      build.ints([1], [0]),
    ]);
    const steps = build.add('QuantizeLinear', [rows, build.floats([], [scale])]);
    build.output('o', build.add('DequantizeLinear', [steps, build.floats([], [scale])]), 'float32', [1, 20, 6]);
  });
}

describe('what an integer output has lost', () => {
  it('is said of rows that the graph has chosen', () => {
    expect(() => fitModel(chosenRowsIn(1.25))).toThrow(expect.objectContaining({ code: 'lost-in-steps' }));
    expect(fitModel(chosenRowsIn(1 / 256)).family.id).toBe('yolo-end-to-end');
  });

  it.each([
    [
      'the boxes, where the steps are those of scores',
      yoloxIn(1 / 256, -128),
      /quantised from 0 to 0\.996.*box numbers.*cut off/,
    ],
    ['the scores, where the steps are those of pixels', yoloV8In(2.5), /steps of 2\.5.*scores from 0 to 1 are lost/],
  ])('is said instead of a file: %s', (_, source, why) => {
    expect(() => fitModel(source)).toThrow(
      expect.objectContaining({ code: 'lost-in-steps', message: expect.stringMatching(why) }),
    );
    expect(recogniseModel(source)).toMatchObject({ kind: 'other', seen: expect.stringMatching(/in float\.$/) });
  });

  it.each([
    ['without a zero point', null, /steps of 2\.5/],
    ['with one of uint8', 'uint8', /steps of 2\.5/],
    ['with one of int8', 'int8', /steps of 2\.5/],
  ] as const)('is said of an ONNX file, %s', (_, zeroPoint, why) => {
    expect(() => fitModel(onnxYoloV8In(2.5, zeroPoint))).toThrow(
      expect.objectContaining({ code: 'lost-in-steps', message: expect.stringMatching(why) }),
    );
    expect(fitModel(onnxYoloV8In(1 / 256, zeroPoint)).family.id).toBe('yolo-v8');
  });

  it('is nothing where one scale has room for both', () => {
    expect(fitModel(yoloxIn(8 / 255, 0)).family.id).toBe('yolox');
    expect(fitModel(yoloV8In(1 / 256)).family.id).toBe('yolo-v8');
  });
});
