import { expect, it } from 'vitest';
import type { Inference, RunResult } from '../../../src/machine/vision/run-result.ts';
import { frameTimings } from './frame-timings.ts';

const measured = { decodeMs: 1, lastRunMs: 20, pictureMs: 3 };
function sightingOn(where: 'cpu' | 'gpu', told: Pick<Inference, 'onGpu'> = {}): RunResult {
  return {
    stages: [],
    detections: null,
    classifications: null,
    placement: { steps: [], packing: { where, because: '' } },
    inference: { outputs: new Map(), inputWidthPx: 1, inputHeightPx: 1, preprocessMs: 4, inferenceMs: 30, ...told },
    timings: { transformMs: 2, preprocessMs: 4, inferenceMs: 30, postprocessMs: 5, totalMs: 41 },
  };
}
const own = { decodeMs: 1, postprocessMs: 5, totalMs: 32, modelWaitMs: 10, pictureMs: 3 };

it.each<[string, RunResult | null, object]>([
  ['the CPU', sightingOn('cpu'), { ...own, transformMs: 2, preprocessMs: 4, inferenceMs: 20 }],
  ['a GPU', sightingOn('gpu'), { ...own, transformMs: 2, preprocessMs: 4, inferenceMs: 20, isGpuTimed: false }],
  [
    'a GPU that tells how long it was at each part',
    sightingOn('gpu', { onGpu: { stepsMs: 6, packMs: 8 } }),
    { ...own, transformMs: 8, preprocessMs: 12, inferenceMs: 6, isGpuTimed: true },
  ],
  [
    'a GPU that tells of a longer frame before, of which no more is told than this one took',
    sightingOn('gpu', { onGpu: { stepsMs: 15, packMs: 8 } }),
    { ...own, transformMs: 17, preprocessMs: 9, inferenceMs: 0, isGpuTimed: true },
  ],
  [
    'nothing',
    null,
    { ...own, transformMs: 0, preprocessMs: 0, inferenceMs: 0, postprocessMs: 0, totalMs: 1, modelWaitMs: 0 },
  ],
])('times a frame that was run by %s', (_, result, expected) => {
  expect(frameTimings(result, measured)).toEqual(expected);
});
