import { describe, expect, it } from 'vitest';
import { rowsOf, runFitted } from '../../../tests/fit/run-fitted.ts';
import { tfliteHead } from '../../../tests/fit/tflite-heads.ts';
import { yoloV8Model } from '../../../tests/fit/yolo-v8-model.ts';
import { readModel } from '../../onnx/read-model.ts';
import { readTfliteModel } from '../../tflite/read-model.ts';
import { isTflite } from '../../tflite/read-tflite.ts';
import { statedFeeding } from '../../vision/inference/stated-feeding.ts';
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

it('refuses an ONNX model that pads already', () => {
  expect(() => fitModel(fitModel(onnx()).model, { family: 'fitted' })).toThrow('takes frames of any size');
});

it('knows nothing of the training of a model that a person explained', () => {
  const { model } = fitModel(onnx(), { family: 'guided', options: { letterbox: 'stretch' } });
  expect(feedingOf(model)).not.toHaveProperty('letterbox');
});
