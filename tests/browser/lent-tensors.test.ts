import { expect, it } from 'vitest';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { loadStretchKernel } from '../../src/platform/browser/wasm/load-stretch-kernel.ts';
import type { InputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import { referenceStretchKernel } from '../../src/machine/vision/preprocess/preprocess.ts';
import type { TensorData } from '../../src/machine/vision/tensor/tensor.ts';
import { connectInferenceWorker, type LendTensor } from '../../workers/inference/client.ts';
import { randomFrame, randomSource } from '../random-frame.ts';

const spec: InputSpec = {
  tensorName: 'image',
  dtype: 'float32',
  layout: 'nchw',
  widthPx: 96,
  heightPx: 64,
  bgr: false,
  mean: [0.5, 0.5, 0.5],
  stdDev: [0.5, 0.5, 0.5],
};

/** A model y = x + 0 with the input size above. */
function sameModel(): Uint8Array<ArrayBuffer> {
  const graph = new GraphBuilder();
  const image = graph.input('image', 'float32', [1, 3, 64, 96]);
  const zero = graph.floats([1], [0]);
  graph.output('same', graph.add('Add', [image, zero]), 'float32', [1, 3, 64, 96]);
  return graph.build({ graphName: 'same', producer: 'test', opset: 18 });
}

async function openSame(lend: LendTensor) {
  const worker = new Worker(new URL('../../workers/inference/entry.ts', import.meta.url), {
    type: 'module',
    name: 'inference',
  });
  const runtime = connectInferenceWorker(worker);
  runtime.lendBy(lend);
  return runtime.open(sameModel(), 'wasm');
}

const frames = Array.from({ length: 12 }, (_, seed) =>
  randomFrame(randomSource(seed + 1), 'rgba8', 150, 110, 'opaque'),
);
const expected = frames.map((frame) => referenceStretchKernel.stretchToTensor(frame, spec).data);

it.each([
  ['lent by a page that is isolated', true],
  ['copied elsewhere', false],
])('gives a model each frame as it was packed, however many are packed meanwhile: %s', async (_, isLent) => {
  const kernel = await loadStretchKernel();
  const lent = new Set<TensorData>();
  const session = await openSame((data) => {
    const giveBack = isLent ? kernel.lend(data) : null;
    if (giveBack) lent.add(data);
    return giveBack && (() => (lent.delete(data), giveBack()));
  });
  const running: Promise<readonly [number, TensorData]>[] = [];
  for (const [at, frame] of frames.entries()) {
    const run = session.run({ image: kernel.stretchToTensor(frame, spec) });
    running.push(run.then(({ same }) => [at, same!.data] as const));
    expect(lent.size > 0).toBe(isLent);
    if (running.length > 3) await running.at(-4); // run as many frames concurrently as the page does
  }
  for (const [at, data] of await Promise.all(running)) expect(data, `frame ${at}`).toEqual(expected[at]);
  expect(lent.size).toBe(0);
});

it('takes back what a run that failed was lent', async () => {
  let lent = 0;
  const kernel = await loadStretchKernel();
  const session = await openSame((data) => {
    const giveBack = kernel.lend(data)!;
    lent++;
    return () => (lent--, giveBack());
  });
  const { data, dtype } = kernel.stretchToTensor(frames[0]!, spec);
  await expect(session.run({ image: { dtype, data, shape: [1, 3, 96, 96] } })).rejects.toHaveProperty('code');
  expect(lent).toBe(0);
});
