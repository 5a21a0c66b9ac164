import { describe, expect, it } from 'vitest';
import { rowsOf, runFitted } from '../../../../tests/fit/run-fitted.ts';
import { headModel } from '../../../../tests/fit/head-models.ts';
import { tfliteHead } from '../../../../tests/fit/tflite-heads.ts';
import { yoloV8Model } from '../../../../tests/fit/yolo-v8-model.ts';
import { readModel } from '../../onnx/read-model.ts';
import { readTfliteModel } from '../../tflite/read-model.ts';
import { isTflite } from '../../tflite/read-tflite.ts';
import { statedFeeding } from '../../../machine/vision/inference/stated-feeding.ts';
import { fitModel } from '../fit-model.ts';
import { judgeFitted } from '../judge-fitted.ts';

const onnx = () =>
  yoloV8Model([
    { centreX: 20, centreY: 30, width: 12, height: 10, scores: [0.9, 0.1, 0.1] },
    { centreX: 48, centreY: 36, width: 20, height: 16, scores: [0.1, 0.2, 0.8] },
  ]);
const tflite = () =>
  tfliteHead({}, ({ build, layer }) => {
    const boxes = Array.from({ length: 84 }, (_, cell) => [20 + 12 * (cell % 2), 30, 12, 10]);
    const logits = Array.from({ length: 84 }, (_, cell) => [cell === 0 ? 2 : -6, cell === 1 ? 1 : -6, -6]);
    const scores = build.add('Sigmoid', [layer([1, 84, 3], logits.flat())]);
    const rows = build.add(
      'Concat',
      [build.add('Mul', [layer([1, 84, 4], boxes.flat()), build.floats([1], [1 / 64])]), scores],
      { axis: { int: 2 } },
    );
    return { Identity: build.add('Transpose', [rows], { perm: { ints: [0, 2, 1] } }) };
  });
const frameSize = { widthPx: 160, heightPx: 90 };
const labels = ['a', 'b', 'c'];
const summaryOf = (model: Uint8Array<ArrayBuffer>) => (isTflite(model) ? readTfliteModel(model) : readModel(model));
const feedingOf = (model: Uint8Array<ArrayBuffer>) => statedFeeding(summaryOf(model).metadata);

describe.each([
  ['ONNX', onnx],
  ['TensorFlow Lite', tflite],
])('a model that was fitted before and stretches frames, %s', (format, source) => {
  const stretched = () => fitModel(source(), { labels, options: { letterbox: 'stretch' } }).model;
  const image = { dtype: 'uint8', shape: [1, 3, 90, 160], data: new Uint8Array(3 * 90 * 160).fill(90) } as const;
  const rowsFrom = async (model: Uint8Array<ArrayBuffer>) =>
    rowsOf(await runFitted(model, format === 'ONNX' ? image : undefined));

  it('is written once more with a border, and finds what one finds that was fitted so at once', async () => {
    const padded = fitModel(stretched(), { family: 'fitted', frameSize });
    const atOnce = fitModel(source(), { labels, frameSize });
    expect(padded.options['letterbox']).toBe('pad');
    expect(padded.labels).toEqual(labels);
    expect(judgeFitted(padded)).toEqual([]);
    const [found, wanted] = [await rowsFrom(padded.model), await rowsFrom(atOnce.model)];
    expect(wanted).toHaveLength(2);
    expect(found.map(({ score, category }) => [score, category])).toEqual(
      wanted.map(({ score, category }) => [score, category]),
    );
    found.forEach(({ box }, row) => box.forEach((value, k) => expect(value).toBeCloseTo(wanted[row]!.box[k]!, 5)));
    expect(summaryOf(padded.model).outputs).toEqual(summaryOf(atOnce.model).outputs);
  });

  it('says how pictures lay in its training until its graph does the same', () => {
    const model = stretched();
    expect(feedingOf(model)?.letterbox).toEqual({ border: 114, at: 'centre' });
    const padded = fitModel(model, { family: 'fitted', frameSize });
    expect(feedingOf(padded.model)).not.toHaveProperty('letterbox');
    expect(summaryOf(padded.model).metadata['sightglass.family']).toBe('yolo-v8');
  });

  it('is refused where it was not fitted', () => {
    expect(() => fitModel(source(), { family: 'fitted' })).toThrow('does not say that it was fitted');
  });
});

describe('what a model that was fitted before says beyond boxes', () => {
  const cells = 84;

  /** A YOLOv8 of one class that says further numbers of each cell. */
  const withFurther = (further: readonly number[], metadata: Readonly<Record<string, string>>, maps?: Float32Array) =>
    headModel({ metadata }, (build) => {
      const boxes = [20, 30, 12, 10].map((value, k) =>
        Array.from({ length: cells }, (_, n) => (k === 0 ? value + 20 * (n % 2) : value)),
      );
      const decoded = build.add('Mul', [build.floats([1, 4, cells], boxes.flat()), build.floats([], [1])]);
      const logits = Array.from({ length: cells }, (_, cell) => (cell < 2 ? 2 - cell : -6));
      const scores = build.add('Sigmoid', [build.floats([1, 1, cells], logits)]);
      const numbers = further.map((value) => Array.from({ length: cells }, (_, cell) => value * (1 + cell / 100)));
      const last = build.floats([1, further.length, cells], numbers.flat());
      const joined = build.add('Concat', [decoded, scores, last], { axis: { int: 1 } });
      build.output('output0', joined, 'float32', [1, 5 + further.length, cells]);
      if (maps) build.output('output1', build.floats([1, 4, 16, 16], maps), 'float32', [1, 4, 16, 16]);
    });
  const pose = { task: 'pose', kpt_shape: '[2, 3]', names: "{0: 'person'}" };
  const image = { dtype: 'uint8', shape: [1, 3, 90, 160], data: new Uint8Array(3 * 90 * 160) } as const;

  it.each([
    ['key points', () => withFurther([18, 28, 0.5, 22, 33, 0.25], pose), {}, ['key_points']],
    [
      'masks',
      () =>
        withFurther(
          [0.5, -1, 2, 0.1],
          {},
          Float32Array.from({ length: 1024 }, (_, k) => Math.sin(k)),
        ),
      { masks: 'keep' },
      ['mask_weights', 'mask_prototypes', 'mask_place'],
    ],
  ])('is kept where a border is added: %s', async (_, source, options, names) => {
    const stretched = fitModel(source(), { options: { ...options, letterbox: 'stretch' } }).model;
    const found = await runFitted(fitModel(stretched, { family: 'fitted', frameSize }).model, image);
    const wanted = await runFitted(
      fitModel(source(), { options: { ...options, letterbox: 'pad' }, frameSize }).model,
      image,
    );
    expect(Object.keys(found)).toEqual(['location', 'category', 'score', ...names]);
    for (const name of names) {
      expect(found[name]!.shape).toEqual(wanted[name]!.shape);
      // Rows that stand for no box are wherever the border leaves them.
      const given = found[name]!.values.slice(0, name === 'mask_weights' ? 8 : 12);
      expect(new Set(given).size).toBeGreaterThan(2);
      given.forEach((value, k) => expect(value).toBeCloseTo(wanted[name]!.values[k]!, 5));
    }
  });
});

it('refuses an ONNX model that pads already', () => {
  expect(() => fitModel(fitModel(onnx()).model, { family: 'fitted' })).toThrow('takes frames of any size');
});

it('knows nothing of the training of a model that a person explained', () => {
  const { model } = fitModel(onnx(), { family: 'guided', options: { letterbox: 'stretch' } });
  expect(feedingOf(model)).not.toHaveProperty('letterbox');
});
