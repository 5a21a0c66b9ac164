import { describe, expect, it } from 'vitest';
import { tfliteHead, type TfliteHead } from '../../../../tests/fit/tflite-heads.ts';
import { tinyTflite } from '../../../../tests/tflite-models.ts';
import { asBytes, asImageNet, asSigned, asUnits } from '../../../machine/vision/preprocess/normalizations.ts';
import { fitModel } from '../fit-model.ts';
import { openFitSource } from '../open-fit-source.ts';
import { recogniseModel } from '../recognise-model.ts';

const classifierOf = (model: TfliteHead) =>
  tfliteHead(model, ({ build, layer }) => ({ scores: build.add('Softmax', [layer([1, 4], [1, 2, 3, 4])]) }));

/** Keras' Rescaling. */
const rescaling =
  (factor: number, offset: number): NonNullable<TfliteHead['begin']> =>
  (build, image) =>
    build.add('Add', [build.add('Mul', [image, build.floats([], [factor])]), build.floats([], [offset])]);

/** A picture of floats that the graph rounds to steps first. */
const rounded =
  (scale: number, zeroPoint: number): NonNullable<TfliteHead['begin']> =>
  (build, image) => {
    const { shape } = build.of(image);
    const int8 = { type: 'int8', shape, quantization: { scale, zeroPoint } } as const;
    const [steps] = build.writeMany({ name: 'QUANTIZE', options: [] }, [image], [int8]);
    return build.write({ name: 'DEQUANTIZE', options: [] }, [steps!], { type: 'float32', shape });
  };

describe('what a .tflite file says of its picture', () => {
  it.each([
    ['a Rescaling to −1..1', { begin: rescaling(1 / 127.5, -1) }, asBytes, /begins with Mul, Add.* 0 to 255/],
    ['a Rescaling of 0..1', { begin: rescaling(2, -1) }, asUnits, /begins with Mul, Add.* 0 to 1/],
    ['steps of floats from −1 to 1', { begin: rounded(1 / 127.5, 0) }, asSigned, /in steps from -1 to 1/],
    ['steps of floats from 0 to 1', { begin: rounded(1 / 255, -128) }, asUnits, /in steps from 0 to 1/],
    ['steps of floats from 0 to 255', { begin: rounded(1, -128) }, asBytes, /in steps from 0 to 255/],
    [
      'int8 of −1 to 1',
      { input: 'int8', inputQuantization: { scale: 1 / 127.5, zeroPoint: 0 } },
      asSigned,
      /steps from -1 to 1/,
    ],
    [
      'int8 of the range of ImageNet, channels first',
      { layout: 'nchw', input: 'int8', inputQuantization: { scale: 0.01863, zeroPoint: -14 } },
      asImageNet,
      /steps from -2\.12 to 2\.64, which mean and deviation of ImageNet make of pixels/,
    ],
  ] as const)('is read from %s, and fed so', (_, model, { mean, stdDev }, why) => {
    const source = classifierOf(model);
    const { preprocessing, feedingGuess, evidence } = fitModel(source);
    expect(preprocessing).toMatchObject({ mean, stdDev });
    expect(feedingGuess).toBeNull();
    expect(evidence.join(' ')).toMatch(why);
    expect(recogniseModel(source)).toMatchObject({ feeding: { guess: null, range: { meanValue: mean, stdDev } } });
  });

  it.each([
    ['steps of another range', { begin: rounded(0.03, -14) }],
    ['nothing', {}],
  ])('is a guess with %s', (_, model) => {
    expect(fitModel(classifierOf(model)).feedingGuess).toMatch(/guess/);
  });
});

describe('the constants of a .tflite file', () => {
  it.each([
    ['float32', [{ name: 'factor', type: 0, shape: [1], data: [0, 0, 0, 65] }], []],
    [
      'float16',
      [
        { name: 'half', type: 1, shape: [1], data: [0, 0x48] },
        { name: 'factor', type: 0, shape: [1] },
      ],
      [{ code: 6, inputs: [2], outputs: [3] }],
    ],
    [
      'int8',
      [{ name: 'factor', type: 9, shape: [1], data: [127], quantization: { scale: [8 / 127], zeroPoint: [0] } }],
      [],
    ],
  ] as const)('tell strides as %s', (_, constants, operators) => {
    const factor = 1 + constants.length;
    const source = tinyTflite({
      tensors: [
        { name: 'picture', type: 0, shape: [1, 8, 8, 3] },
        { name: 'boxes', type: 0, shape: [1, 8, 8, 3] },
        ...constants,
      ],
      operators: [...operators, { code: 18, inputs: [0, factor], outputs: [1] }],
      inputs: [0],
      outputs: [1],
    });
    const { factorsOf } = openFitSource(source, {}).structure;
    expect(factorsOf('boxes')).toEqual([[expect.closeTo(8, 5)]]);
  });
});
