import { describe, expect, it } from 'vitest';
import type { InferenceSession } from '../../../src/machine/vision/inference/inference-session.ts';
import { referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import type { TensorInfo } from '../../../src/machine/vision/tensor/tensor.ts';
import { patienceMs, testCard, trialFeeds, warmUp } from './warm-up.ts';

/** In the queue of the session's thread, before each run. */
const waitedMs = 1;

/** Warms up a session whose runs take these times, the last one for ever after. */
async function warm(runsMs: readonly number[], patience: number = patienceMs.comparing) {
  let nowMs = 0;
  let lastRunMs = 0;
  let runs = 0;
  const session: InferenceSession = {
    inputs: [],
    outputs: [],
    run: () => {
      lastRunMs = runsMs[Math.min(runs++, runsMs.length - 1)]!;
      nowMs += lastRunMs + waitedMs;
      return Promise.resolve({});
    },
    release: () => Promise.resolve(),
  };
  const { warmRunMs } = await warmUp(
    session,
    {},
    { nowMs: () => nowMs, lastRunMs: () => lastRunMs, patienceMs: patience, signal: new AbortController().signal },
  );
  return { runs, warmRunMs };
}

describe('warmUp', () => {
  it.each([
    ['a steady model five times', [300, 72], { runs: 5, warmRunMs: 72 }],
    ['one that is slow to settle until it has', [300, 200, 150, 110, 90, 75, 73, 72], { runs: 7, warmRunMs: 75 }],
    [
      'one that never settles twelve times',
      [10, 20, 10, 20, 10, 20, 10, 20, 10, 20, 10, 20],
      { runs: 12, warmRunMs: 10 },
    ],
    ['a very slow one twice', [5000, 3000], { runs: 2, warmRunMs: 3000 }],
  ])('runs %s', async (_, runsMs, expected) => {
    expect(await warm(runsMs)).toEqual(expected);
  });

  it('lets the first frame wait for no more than a quick model', async () => {
    expect(await warm([40, 12], patienceMs.loading)).toEqual({ runs: 5, warmRunMs: 12 });
    expect(await warm([300, 72], patienceMs.loading)).toEqual({ runs: 2, warmRunMs: 72 });
  });
});

describe('trialFeeds', () => {
  const input = (name: string, dtype: TensorInfo['dtype'], shape: number[]): TensorInfo => ({
    name,
    dtype,
    shape,
    symbols: shape.map(() => null),
  });

  it('feeds a picture where one fits, ones elsewhere', () => {
    const inputs = [input('image', 'float32', [-1, 3, 4, -1]), input('sizes', 'int64', [-1, 2])];
    const { image, sizes } = trialFeeds(inputs, testCard(), referenceStretchKernel);
    expect(image!.shape).toEqual([1, 3, 4, 256]);
    expect(new Set(image!.data as Float32Array).size).toBeGreaterThan(10);
    expect(sizes).toEqual({ dtype: 'int64', shape: [1, 2], data: BigInt64Array.of(1n, 1n) });
  });

  it('gives the sides that a model leaves open another size', () => {
    const inputs = [input('image', 'float32', [1, 3, 4, -1])];
    const { image } = trialFeeds(inputs, testCard(), referenceStretchKernel, { widthPx: 64, heightPx: 32 });
    expect(image!.shape).toEqual([1, 3, 4, 64]);
  });

  it('feeds float16 with its own one', () => {
    const { x } = trialFeeds([input('x', 'float16', [1, 3, 2, 2])], testCard(), referenceStretchKernel);
    expect([...(x!.data as Uint16Array)]).toEqual(Array(12).fill(0x3c00));
  });
});
