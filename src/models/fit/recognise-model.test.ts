import { expect, it } from 'vitest';
import { headModel } from '../../../tests/fit/head-models.ts';
import { yoloV8Model } from '../../../tests/fit/yolo-v8-model.ts';
import { GraphBuilder } from '../onnx/edit-model.ts';
import { fitModel } from './fit-model.ts';
import { recogniseModel } from './recognise-model.ts';

it('says the family of a model, why, and what is known of it', () => {
  const recognition = recogniseModel(
    yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]),
  );
  expect(recognition).toMatchObject({ kind: 'family', id: 'yolo-v8', result: 'detections', classCount: 2 });
  expect(recognition).toMatchObject({ size: { widthPx: 64, heightPx: 64 } });
  const range = { meanValue: [0, 0, 0], stdDev: [1, 1, 1] };
  expect(recognition).toMatchObject({ feeding: { source: 'family', bgr: false, range } });
  expect(recognition).toHaveProperty('evidence.0', expect.stringContaining('2 class scores'));
});

it('says that a fitted model fits', () => {
  const { model } = fitModel(yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]));
  expect(recogniseModel(model)).toEqual({ kind: 'fits' });
});

const named = { image: [1, 3, 64, 64], dtype: 'float32', opset: 18 } as const;

/** A classifier with the machine's names, which tells 2 classes apart. */
function namedClassifier({
  image,
  dtype,
  opset,
}: {
  image: readonly number[];
  dtype: 'float32' | 'int32';
  opset: number;
}) {
  const build = new GraphBuilder();
  const input = build.add('Cast', [build.input('image', dtype, [...image])], { to: { int: 1 } });
  const channels = build.add('Flatten', [build.add('GlobalAveragePool', [input])]);
  const weights = build.floats([3, 2], [1, 0, 0, 1, 0, 0]);
  build.output('probability', build.add('Softmax', [build.add('Gemm', [channels, weights])]), 'float32', [
    image[0]!,
    2,
  ]);
  return build.build({ graphName: 'g', producer: 'p', opset });
}

it('says that a model with the machine’s names fits', () => {
  expect(recogniseModel(namedClassifier(named))).toEqual({ kind: 'fits' });
});

it.each([
  ['of 4 pictures at a time', { ...named, image: [4, 3, 64, 64] }],
  ['of one channel', { ...named, image: [1, 1, 64, 64] }],
  ['of whole numbers', { ...named, dtype: 'int32' }],
  ['of an operator set that its runtime does not know', { ...named, opset: 99 }],
] as const)('does not say that a model fits which the machine refuses: %s', (_, model) => {
  expect(recogniseModel(namedClassifier(model)).kind).not.toBe('fits');
});

it('says what it saw of a model of no family', () => {
  const strange = headModel({}, (build, image) => {
    build.output('out', build.add('Identity', [image]), 'float32', [1, 3, 31, 64]);
  });
  const seen = expect.stringMatching(/"out" float32 1×3×31×64.*shapes of none of them: YOLOv8/);
  expect(recogniseModel(strange)).toEqual({ kind: 'unknown', seen });
});

it.each([
  ['channels first', [1, 21, 32, 32]],
  ['channels last', [1, 64, 64, 1]],
])('says of maps of the picture that no service shows them: %s', (_, shape) => {
  const segmenter = headModel({}, (build) => {
    const count = shape.reduce((a, b) => a * b, 1);
    build.output('map', build.floats(shape, new Float32Array(count)), 'float32', shape);
  });
  const seen = expect.stringMatching(/^This model .*"map".*gives boxes and classes only/);
  expect(recogniseModel(segmenter)).toEqual({ kind: 'other', seen });
});

it('says of another input than a picture that none feeds it', () => {
  const build = new GraphBuilder();
  const digits = build.input('digits', 'float32', [1, 1, 28, 28]);
  build.output('scores', build.add('Flatten', [digits]), 'float32', [1, 784]);
  const model = build.build({ graphName: 'g', producer: 'p', opset: 18 });
  expect(recogniseModel(model)).toHaveProperty('seen', expect.stringMatching(/"digits" 1×1×28×28 is a picture of one/));
});
