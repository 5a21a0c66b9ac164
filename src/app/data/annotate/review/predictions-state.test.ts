import { expect, it } from 'vitest';
import { deferred } from '../../../../../tests/deferred.ts';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import type { PredictionRun } from '../../../captures/run-model.ts';
import { BoxesState } from '../boxes/boxes-state.svelte.ts';
import { LabelList } from '../boxes/label-list.svelte.ts';
import { PredictionsState } from './predictions-state.svelte.ts';

const seen = {
  label: 'cup',
  confidence: 0.9,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 1,
  yMaxNormalized: 1,
};

it('runs the model once, however often it is asked for, and on the image on which it was begun', async () => {
  const answer = deferred<PredictionRun>();
  const [first, second] = [new BoxesState(), new BoxesState()];
  let shown = first;
  let runs = 0;
  const predictions = new PredictionsState({
    labels: new LabelList(memoryStorage()),
    boxes: () => shown,
    runModel: () => () => {
      runs++;
      return answer.promise;
    },
    say: () => undefined,
  });
  const running = [predictions.run(), predictions.run()];
  expect([runs, predictions.running]).toEqual([1, true]);
  shown = second;
  answer.resolve({ by: 'm.onnx', boxes: [seen] } as unknown as PredictionRun);
  await Promise.all(running);
  expect([first.predictions.length, second.predictions.length, predictions.running]).toEqual([1, 0, false]);
});
