import { expect, it } from 'vitest';
import { headModel } from '../../tests/fit/head-models.ts';
import { yoloV8Model } from '../../tests/fit/yolo-v8-model.ts';
import { fitModel } from './fit-model.ts';
import { recogniseModel } from './recognise-model.ts';

it('says the family of a model, why, and what is known of it', () => {
  const recognition = recogniseModel(
    yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]),
  );
  expect(recognition).toMatchObject({ kind: 'family', id: 'yolo-v8', result: 'detections', classCount: 2 });
  expect(recognition).toMatchObject({ size: { widthPx: 64, heightPx: 64 } });
  expect(recognition).toHaveProperty('evidence.0', expect.stringContaining('2 class scores'));
});

it('says that a fitted model fits', () => {
  const { model } = fitModel(yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]));
  expect(recogniseModel(model)).toEqual({ kind: 'fits' });
});

it('says what it saw of a model of no family', () => {
  const strange = headModel({}, (build, image) => {
    build.output('out', build.add('Identity', [image]), 'float32', [1, 3, 64, 64]);
  });
  expect(recogniseModel(strange)).toEqual({ kind: 'unknown', seen: expect.stringContaining('"out" float32') });
});
