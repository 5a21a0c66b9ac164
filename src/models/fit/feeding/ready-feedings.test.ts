import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../tests/fit/head-models.ts';
import { yoloV8Model } from '../../../../tests/fit/yolo-v8-model.ts';
import { fitModel } from '../fit-model.ts';
import { machineFeedings, readyFeedings, type ReadyModel } from './machine-feedings.ts';
import type { FeedingRecipe, Placing } from './recipe.ts';

const source = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);
const stretched = fitModel(source, { options: { letterbox: 'stretch' } }).model;
const frame = { widthPx: 128, heightPx: 96 };
const units = { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1] };
const ready: ReadyModel = { model: stretched, fed: units, dtype: 'float32', input: { widthPx: 64, heightPx: 64 } };
const recipe = (placing: Placing, colours = units): FeedingRecipe => ({ resampler: 'opencv linear', placing, ...colours }); // prettier-ignore
const border: Placing = { kind: 'letterbox', at: 'top-left', sizes: 'floor', odd: 'after', border: 128 };
const kindsOf = (of: FeedingRecipe, model = ready) => readyFeedings(model, of, frame).map(({ kind }) => kind);

describe('machineFeedings of a model that takes pictures of any size', () => {
  it('tries a larger input', () => {
    const anySize = headModel({ widthPx: -1, heightPx: -1, metadata: { imgsz: '[64, 64]' } }, (build) => {
      const of = (numbers: number) => build.floats([1, numbers, 84], new Float32Array(84 * numbers));
      const rows = [build.add('Mul', [of(4), build.floats([], [8])]), build.add('Sigmoid', [of(3)])];
      build.output('o', build.add('Concat', rows, { axis: { int: 1 } }), 'float32', ['batch', 7, 'anchors']);
    });
    const larger = machineFeedings(anySize, {}, recipe({ kind: 'stretch' }), frame).at(-1)!;
    expect([larger.kind, larger.title]).toEqual(['larger input', 'A larger input, 96×96']);
    expect(larger.fit!.request.inputSize).toEqual({ widthPx: 96, heightPx: 96 });
  });
});

describe('readyFeedings', () => {
  it('begins with the feeding that is configured, and mends its colours and values', () => {
    const bgr = { ...units, bgr: true };
    expect(kindsOf(recipe({ kind: 'stretch' }))).toEqual(['as it is']);
    const [own, mended] = readyFeedings(ready, recipe({ kind: 'stretch' }, bgr), frame);
    expect([own!.fed.bgr, mended!.kind, mended!.fed, mended!.model]).toEqual([false, 'colours', bgr, stretched]);
  });

  it('finds nothing to mend in the values of a model that takes bytes', () => {
    const signed = { ...units, meanValue: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5] };
    expect(kindsOf(recipe({ kind: 'stretch' }, signed), { ...ready, dtype: 'uint8' })).toEqual(['as it is']);
    expect(kindsOf(recipe({ kind: 'stretch' }, signed))).toEqual(['as it is', 'colours']);
  });

  it('writes the recipe’s border into a model that was fitted before, and into no other', () => {
    const padding = readyFeedings(ready, recipe(border), frame)[1]!;
    expect(padding.fit!.fitted.preprocessing.letterbox).toEqual({ border: 128, at: 'top-left' });
    expect(padding.fit!.fitted.feedingGuess).toBeNull();
    expect(kindsOf(recipe(border), { ...ready, model: source })).toEqual(['as it is']);
    expect(kindsOf(recipe(border), { ...ready, input: null })).toEqual(['as it is']);
  });

  it('mends colours behind a step, too', () => {
    const [, , crop] = readyFeedings(ready, recipe({ kind: 'crop', share: 1, cut: 'before' }, { ...units, bgr: true }), frame); // prettier-ignore
    expect(crop).toMatchObject({ kind: 'crop', fed: { bgr: true }, step: { type: 'crop', attributes: { xMin: 0.125, xMax: expect.closeTo(0.875) } } }); // prettier-ignore
  });
});
