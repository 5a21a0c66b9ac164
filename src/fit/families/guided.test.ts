import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../tests/fit/head-models.ts';
import { rowsOf, runFitted } from '../../../tests/fit/run-fitted.ts';
import { yoloV8Model } from '../../../tests/fit/yolo-v8-model.ts';
import { readModel } from '../../onnx/read-model.ts';
import { fitModel } from '../fit-model.ts';
import type { OptionValues } from '../options.ts';

const stretch = { letterbox: 'stretch' };

/** Two candidates of a 64×64 picture: a box of 16..48 × 8..24 and one of 0..8 × 32..64. */
const forms: readonly (readonly [string, readonly number[], OptionValues])[] = [
  ['centre and size', [32, 16, 32, 16, 4, 48, 8, 32], {}],
  ['corner and size', [16, 8, 32, 16, 0, 32, 8, 32], {}],
  ['two corners', [0.25, 0.125, 0.75, 0.375, 0, 0.5, 0.125, 1], { boxUnit: 'proportional' }],
  ['two corners, y first', [8, 16, 24, 48, 32, 0, 64, 8], {}],
];

/** Candidates that say nothing follow: more of them than numbers each, as in real heads. */
const padded = (values: readonly number[], each: number): number[] => [
  ...values,
  ...Array.from({ length: 9 * each - values.length }, () => 0),
];

const twoOutputs = (boxes: readonly number[], scores: readonly number[]) =>
  headModel({}, (build) => {
    build.output('where', build.add('Identity', [build.floats([1, 9, 4], padded(boxes, 4))]), 'float32', [1, 9, 4]);
    build.output('what', build.add('Identity', [build.floats([1, 9, 3], padded(scores, 3))]), 'float32', [1, 9, 3]);
  });

async function found(model: Uint8Array, options: OptionValues = {}) {
  const fitted = fitModel(model, { family: 'guided', options: { ...stretch, ...options } });
  const rows = rowsOf(await runFitted(fitted.model));
  return rows.map(({ box, category, score }) => ({
    box: box.map((side) => Math.round(side * 64)),
    category,
    score: Math.round(score * 100) / 100,
  }));
}

describe('a model that is read as its user says', () => {
  it.each(forms)('takes boxes as %s', async (boxForm, boxes, more) => {
    const scores = [0.1, 0.9, 0.2, 0.7, 0.1, 0.1];
    expect(await found(twoOutputs(boxes, scores), { boxForm, activation: 'none', ...more })).toEqual([
      { box: [8, 16, 24, 48], category: 1, score: 0.9 },
      { box: [32, 0, 64, 8], category: 0, score: 0.7 },
    ]);
  });

  it.each([
    ['sigmoid', 'none', [0.1, 0.9, 0.2].map(logit), [1, 0.9]],
    ['softmax', 'none', [0.2, 0.2, 0.6].map(Math.log), [2, 0.6]],
    ['softmax', 'first', [0.2, 0.2, 0.6].map(Math.log), [1, 0.6]],
    ['none', 'last', [0.3, 0.2, 0.6], [0, 0.3]],
  ])(
    'takes scores by %s, background %s',
    async (activation, background, scores, [category = 0, score = 0]: readonly number[]) => {
      const boxes = [32, 16, 32, 16, 4, 48, 8, 32];
      const options = { activation, background, scoreThreshold: 0.55 * score };
      const rows = await found(twoOutputs(boxes, scores), options);
      expect(rows).toContainEqual({ box: [8, 16, 24, 48], category, score });
    },
  );

  it('reads one output of columns as the family does that it is of', async () => {
    const boxes = [
      { centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] },
      { centreX: 50, centreY: 20, width: 8, height: 24, scores: [0.2, 0.6] },
    ];
    const model = yoloV8Model(boxes);
    const known = fitModel(model, { options: stretch });
    const said = fitModel(model, { family: 'guided', options: { ...stretch, iouThreshold: 0.7 } });
    expect(rowsOf(await runFitted(said.model))).toEqual(rowsOf(await runFitted(known.model)));
    expect(said.family.id).toBe('guided');
  });

  it('multiplies by an objectness, and counts classes', async () => {
    const rows = [32, 16, 32, 16, 0.5, 0.8, 0.6, 9, 4, 48, 8, 32, 0.9, 0.1, 0.5, 9];
    const model = headModel({}, (build) => {
      build.output('all', build.add('Identity', [build.floats([1, 9, 8], padded(rows, 8))]), 'float32', [1, 9, 8]);
    });
    expect(await found(model, { objectness: 4, scoreColumn: 5, classCount: 2, activation: 'none' })).toEqual([
      { box: [32, 0, 64, 8], category: 1, score: 0.45 },
      { box: [8, 16, 24, 48], category: 0, score: 0.4 },
    ]);
  });

  it('keeps nothing of the outputs that it does not read', () => {
    const model = headModel({}, (build) => {
      build.output('where', build.add('Identity', [build.floats([1, 9, 5], padded([], 5))]), 'float32', [1, 9, 5]);
      build.output('other', build.add('Neg', [build.floats([1, 9, 3], padded([], 3))]), 'float32', [1, 9, 3]);
    });
    const options = { boxes: 'where', scores: 'where', scoreColumn: 4 };
    expect(Object.keys(readModel(fitModel(model, { family: 'guided', options }).model).operators)).not.toContain('Neg');
  });

  it('says which columns there are', () => {
    const model = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);
    const fit = (options: OptionValues) => () => fitModel(model, { family: 'guided', options });
    expect(fit({ boxColumn: 3 })).toThrow(/6 numbers a candidate: no four begin at 3/);
    expect(fit({ classCount: 3 })).toThrow(/scores cannot stand at 4 to 6/);
  });

  it('feeds the model as it is told', () => {
    const model = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);
    const { configuration } = fitModel(model, {
      family: 'guided',
      options: { ...stretch, colour: 'bgr', values: '-1..1' },
    });
    expect(configuration.services[1].attributes).toMatchObject({
      ...{ input_image_bgr: true, input_image_mean_value: [0.5, 0.5, 0.5], input_image_std_dev: [0.5, 0.5, 0.5] },
    });
  });
});
