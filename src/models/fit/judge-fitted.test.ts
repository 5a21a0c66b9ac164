import { expect, it } from 'vitest';
import { yoloV8Model } from '../../../tests/fit/yolo-v8-model.ts';
import { fitModel } from './fit-model.ts';
import { judgeFitted } from './judge-fitted.ts';

const boxes = [{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }];

it('says nothing of a model that the machine takes', () => {
  const fitted = fitModel(yoloV8Model(boxes), { modelFile: 'a.onnx', labelFile: 'a.txt', sourceSha256: '' });
  expect(judgeFitted(fitted)).toEqual([]);
});

it('says why the machine does not take one', () => {
  expect(judgeFitted({ model: yoloV8Model(boxes, { batch: 2 }) })).toEqual([
    expect.objectContaining({ code: 'input-batch', severity: 'fails-at-first-frame' }),
  ]);
});
