import { describe, expect, it } from 'vitest';
import { colourClassifier } from '../../../tests/fit/colour-classifier.ts';
import { seeingYolox } from '../../../tests/fit/seeing-models.ts';
import { tfliteHead } from '../../../tests/fit/tflite-heads.ts';
import { yoloV8Model } from '../../../tests/fit/yolo-v8-model.ts';
import { readModel } from '../onnx/read-model.ts';
import { openSession } from '../../platform/node/open-session.ts';
import { feedingTrial } from './feeding-trial.ts';
import { fitModel } from './fit-model.ts';

const firstInput = (model: Uint8Array<ArrayBuffer>) => readModel(model).inputs[0]!;

describe('feedingTrial', () => {
  it('says how a classifier would be fed, and is fed floats of the size of its input', () => {
    const trial = feedingTrial(colourClassifier(), {});
    expect(trial).toMatchObject({
      kind: 'classifications',
      labels: ['grey', 'red', 'blue', 'nothing'],
      preprocessing: { colour: 'rgb', mean: [0.485, 0.456, 0.406] },
      isPadded: false,
      isFedByOptions: false,
    });
    expect(firstInput(trial.model)).toMatchObject({ dtype: 'float32', shape: [1, 3, 16, 16] });
  });

  it('has no border in the graph where the fitted model has one', () => {
    const source = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);
    expect(firstInput(fitModel(source).model)).toMatchObject({ dtype: 'uint8', shape: [1, 3, -1, -1] });
    const trial = feedingTrial(source, {});
    expect(trial).toMatchObject({ kind: 'detections', isPadded: true });
    expect(firstInput(trial.model)).toMatchObject({ dtype: 'float32', shape: [1, 3, 64, 64] });
  });

  it('is fed floats where options say bytes, and knows that they do', () => {
    const source = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);
    const request = { family: 'guided', options: { values: 'bytes', colour: 'bgr', letterbox: 'stretch' } };
    expect(firstInput(fitModel(source, request).model).dtype).toBe('uint8');
    const trial = feedingTrial(source, request);
    expect(trial).toMatchObject({ preprocessing: { colour: 'bgr' }, isFedByOptions: true });
    expect(firstInput(trial.model).dtype).toBe('float32');
  });

  it('is fed floats where its kind is fed bytes', () => {
    const source = seeingYolox(2);
    expect(firstInput(fitModel(source, { options: { letterbox: 'stretch' } }).model).dtype).toBe('uint8');
    expect(firstInput(feedingTrial(source, {}).model).dtype).toBe('float32');
  });

  it('leaves a network of bytes its bytes', async () => {
    const source = tfliteHead({ input: 'uint8' }, ({ layer }) => ({ scores: layer([1, 3], [3, 1, 0]) }));
    const session = await openSession(feedingTrial(source, {}).model);
    expect(session.inputs[0]!.dtype).toBe('uint8');
    await session.release();
  });
});

describe('a feeding that labelled pictures found', () => {
  const found = { preprocessing: { colour: 'bgr', mean: [0, 0, 0], stdDev: [1, 1, 1] }, why: 'Two pictures say so.' } as const; // prettier-ignore
  const guess = /Nothing says how it was fed/;

  it('is written into the configuration, and its evidence stands for the guess', () => {
    const fitted = fitModel(colourClassifier(), { feedingFound: { ...found, isSure: true } });
    expect(fitted.configuration.services[1].attributes).toMatchObject({
      input_image_mean_value: [0, 0, 0],
      input_image_std_dev: [1, 1, 1],
      input_image_bgr: true,
    });
    expect(fitted.feedingGuess).toBeNull();
    expect(fitted.evidence).toContain('Two pictures say so.');
    expect(fitted.evidence.join(' ')).not.toMatch(guess);
    expect(readModel(fitted.model).metadata).not.toHaveProperty('sightglass.feeding_guess');
  });

  it('stays a guess where they do not decide', () => {
    const { feedingGuess, evidence } = fitModel(colourClassifier(), { feedingFound: { ...found, isSure: false } });
    expect(feedingGuess).toBe('Two pictures say so.');
    expect(evidence.join(' ')).not.toMatch(guess);
    expect(fitModel(colourClassifier()).feedingGuess).toMatch(guess);
  });
});
