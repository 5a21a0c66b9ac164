import { afterEach, expect, it, vi } from 'vitest';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { createOnnxRuntime } from '../../src/platform/browser/onnxruntime/onnxruntime.ts';
import { CapturedModel } from '../../src/platform/browser/onnxruntime/captured-model.ts';
import { toGpu, type GpuFrame } from '../../src/machine/vision/gpu/gpu-frame.ts';
import type { EightBitFrame } from '../../src/machine/vision/frame/frame.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import { inputSpec, type InputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import { preprocess } from '../../src/machine/vision/preprocess/preprocess.ts';
import { randomFrame, randomSource } from '../random-frame.ts';

const runtime = createOnnxRuntime();

/** Two convolutions with a Shape operator between them, which runs on the CPU unless the sizes are constant. */
function convolutions(...sides: readonly (number | string)[]): Uint8Array<ArrayBuffer> {
  const graph = new GraphBuilder();
  const image = graph.input('image', 'float32', [typeof sides[0] === 'string' ? 'batch' : 1, 3, ...sides]);
  const weights = (...shape: number[]) => {
    const count = shape.reduce((product, size) => product * size);
    return graph.floats(
      shape,
      Float32Array.from({ length: count }, (_, at) => ((at * 37) % 11) / 11 - 0.5),
    );
  };
  const halving = { kernel_shape: { ints: [3, 3] }, strides: { ints: [2, 2] } };
  const first = graph.add('Relu', [graph.add('Conv', [image, weights(8, 3, 3, 3)], halving)]);
  const second = graph.add('Sigmoid', [graph.add('Conv', [first, weights(8, 8, 1, 1)])]);
  const shaped = graph.add('Reshape', [second, graph.add('Shape', [first])]);
  graph.output('all', graph.add('Softmax', [shaped], { axis: { int: 1 } }), 'float32', ['n', 8, 'h', 'w']);
  graph.output('means', graph.add('GlobalAveragePool', [shaped]), 'float32', ['n', 8, 1, 1]);
  return graph.build({ graphName: 'convolutions', producer: 'test', opset: 18 });
}

const attributes = { remapInputNames: {}, meanValue: [0.5, 0.25, 0], stdDev: [0.5, 1, 2], bgr: false };
const specOf = ({ inputs }: InferenceSession): InputSpec => inputSpec(inputs, attributes);
const frames = [1, 2, 3, 4, 5, 6].map((seed) => frameOf(seed, 40, 30));
function frameOf(seed: number, widthPx: number, heightPx: number): GpuFrame {
  return toGpu(randomFrame(randomSource(seed), 'rgba8', widthPx, heightPx, 'opaque') as EightBitFrame);
}

/** The outputs of a new session, which has no captured commands yet. */
async function uncaptured(model: Uint8Array<ArrayBuffer>, frame: GpuFrame) {
  const session = await runtime.open(model, 'webgpu');
  const { results, notCaptured } = await session.gpu!.run(frame, specOf(session));
  expect(notCaptured).not.toBe('');
  await session.release();
  return results;
}

/** Runs frames in turn until their commands are captured, and expects the same outputs as without capture. Resolves to the number of runs. */
async function runsUntilRecorded(session: InferenceSession, model: Uint8Array<ArrayBuffer>, seen: readonly GpuFrame[]) {
  const expected = await Promise.all(seen.map((frame) => uncaptured(model, frame)));
  for (let run = 1; ; run++) {
    const { results, notCaptured } = await session.gpu!.run(seen[run % seen.length]!, specOf(session));
    expect(results).toEqual(expected[run % seen.length]);
    if (notCaptured === '') return run;
  }
}

/** Runs frames until no capture is in progress; resolves to the reason why commands are not replayed. */
async function whyNotRecorded(session: InferenceSession): Promise<string> {
  for (let run = 0; ; run++) {
    const { notCaptured } = await session.gpu!.run(frames[run % frames.length]!, specOf(session));
    if (run >= 3 && !notCaptured.startsWith('they are being recorded')) return notCaptured;
  }
}

afterEach(() => vi.restoreAllMocks());

it('repeats the recorded orders of a model with other pictures, to the bit', async () => {
  const said = vi.spyOn(console, 'error');
  const model = convolutions(32, 24);
  const session = await runtime.open(model, 'webgpu');
  expect(await runsUntilRecorded(session, model, frames)).toBeGreaterThan(3);
  for (const frame of [...frames, frames[0]!]) {
    const { results, notCaptured } = await session.gpu!.run(frame, specOf(session));
    expect(results).toEqual(await uncaptured(model, frame));
    expect(notCaptured).toBe('');
  }
  const tensor = preprocess(frames[1]!.source, specOf(session));
  expect(await session.run({ image: tensor })).toEqual(await uncaptured(model, frames[1]!));
  const other = { ...tensor, shape: [1, 3, 24, 32] };
  await expect(session.run({ image: other })).rejects.toMatchObject({ code: 'shape-mismatch' });
  await session.release();
  expect(said).not.toHaveBeenCalled();
});

it('answers frames that are on their way together, each with its own', async () => {
  const model = convolutions(32, 24);
  const session = await runtime.open(model, 'webgpu');
  const inTurn = [];
  for (const frame of frames) inTurn.push((await session.gpu!.run(frame, specOf(session))).results);
  const together = await Promise.all(frames.map((frame) => session.gpu!.run(frame, specOf(session))));
  expect(together.map(({ results }) => results)).toEqual(inTurn);
  expect(new Set(inTurn.map(({ means }) => String(means!.data))).size).toBe(frames.length);
  const last = session.gpu!.run(frames[0]!, specOf(session));
  await session.release(); // must wait until the commands of the pending frame are submitted
  expect((await last).results).toEqual(inTurn[0]);
});

it('fixes the sizes that a model leaves open at those that it is fed, and again when they change', async () => {
  const model = convolutions('height', 'width');
  const session = await runtime.open(model, 'webgpu');
  const large = [7, 8, 9, 10].map((seed) => frameOf(seed, 52, 33));
  for (const seen of [frames, large]) {
    expect(await runsUntilRecorded(session, model, seen)).toBeGreaterThan(3);
    const { shape } = await session.gpu!.run(seen[0]!, specOf(session));
    expect(shape).toEqual([1, 3, seen[0]!.heightPx, seen[0]!.widthPx]);
  }
  const { results, notCaptured } = await session.gpu!.run(frames[0]!, specOf(session));
  expect(results).toEqual(await uncaptured(model, frames[0]!));
  expect(notCaptured).toBe('its input has not had this size for 3 runs in a row');
  expect((await session.gpu!.run(large[0]!, specOf(session))).notCaptured).toBe('');
  await session.release();
});

it('goes on running frames while it records, one at least between two parts of that', async () => {
  const session = await runtime.open(convolutions(32, 24), 'webgpu');
  const frame = vi.fn();
  const happened = { frame, open: vi.spyOn(CapturedModel, 'open'), run: vi.spyOn(CapturedModel.prototype, 'run') };
  for (let run = 0; ; run++) {
    const { notCaptured } = await session.gpu!.run(frames[run % frames.length]!, specOf(session));
    if (notCaptured === '') break;
    frame();
  }
  const inOrder = Object.entries(happened)
    .flatMap(([name, { mock }]) => mock.invocationCallOrder.map((at) => ({ name, at })))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
  expect(inOrder.join(' ')).toMatch(/^frame frame (frame )?open( frame)+ run( frame)+ run( frame)+ run/);
  await session.release();
});

it('leaves what it records of a model that is unloaded meanwhile', async () => {
  const session = await runtime.open(convolutions(32, 24), 'webgpu');
  const opened = vi.spyOn(CapturedModel, 'open');
  const released = vi.spyOn(CapturedModel.prototype, 'release');
  for (const frame of frames.slice(0, 3)) await session.gpu!.run(frame, specOf(session));
  const ran = vi.spyOn(CapturedModel.prototype, 'run');
  await session.release();
  await expect.poll(() => released.mock.calls.length).toBe(opened.mock.calls.length);
  expect(ran).not.toHaveBeenCalled();
  await expect(session.gpu!.run(frames[0]!, specOf(session))).rejects.toThrow('The model was unloaded.');
});

it('records two models whose frames go between each other, each its own', async () => {
  const models = [convolutions(32, 24), convolutions('height', 'width')];
  const sessions = await Promise.all(models.map((model) => runtime.open(model, 'webgpu')));
  const both = await Promise.all(sessions.map((session, at) => runsUntilRecorded(session, models[at]!, frames)));
  expect(Math.min(...both)).toBeGreaterThan(3);
  const together = await Promise.all(
    frames.flatMap((frame) => sessions.map((session) => session.gpu!.run(frame, specOf(session)))),
  );
  expect(together.map(({ notCaptured }) => notCaptured)).toEqual(together.map(() => ''));
  const alone = [];
  for (const frame of frames) for (const model of models) alone.push(await uncaptured(model, frame));
  expect(together.map(({ results }) => results)).toEqual(alone);
  await Promise.all(sessions.map((session) => session.release()));
});

/** Calls `happens` with the GPU device after the session was opened whose commands are being captured. */
function whileRecording(happens: (device: GPUDevice) => void): void {
  const open = CapturedModel.open.bind(CapturedModel);
  vi.spyOn(CapturedModel, 'open').mockImplementation(async (ort, model, gpu, ...rest) => {
    const opened = await open(ort, model, gpu, ...rest);
    happens(gpu.device);
    return opened;
  });
}

/** Lets the GPU report once that its memory is full. */
const refuseOnce = () =>
  vi.spyOn(GPUDevice.prototype, 'popErrorScope').mockResolvedValueOnce(new GPUOutOfMemoryError('It is full.'));

it('goes on without recording where the GPU refuses memory for it', async () => {
  const model = convolutions(32, 24);
  const session = await runtime.open(model, 'webgpu');
  whileRecording(refuseOnce);
  expect(await whyNotRecorded(session)).toBe('The GPU refused the work: It is full.');
  for (const frame of frames) {
    const { results } = await session.gpu!.run(frame, specOf(session));
    expect(results).toEqual(await uncaptured(model, frame));
  }
  await session.release();
});

it('rejects the frame for which the GPU refuses memory, and no other', async () => {
  const model = convolutions(32, 24);
  const session = await runtime.open(model, 'webgpu');
  const expected = await Promise.all(frames.map((frame) => uncaptured(model, frame)));
  refuseOnce();
  const outcomes = await Promise.allSettled(frames.map((frame) => session.gpu!.run(frame, specOf(session))));
  expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { code: 'out-of-memory' } });
  expect(outcomes.slice(1)).toMatchObject(expected.slice(1).map((results) => ({ value: { results } })));
  await session.release();
});

it('loses its device while it records: frames are told, and the next model gets another device', async () => {
  const model = convolutions(32, 24);
  const session = await runtime.open(model, 'webgpu');
  const spec = specOf(session);
  const lost = new Promise<void>((resolve) => runtime.onGpuLost(resolve));
  whileRecording((device) => device.destroy());
  const untilLost = async () => {
    for (let run = 0; ; run++) await session.gpu!.run(frames[run % frames.length]!, spec);
  };
  await expect(untilLost()).rejects.toMatchObject({ code: 'device-lost' });
  await lost;
  await session.release();
  vi.restoreAllMocks();
  const again = await runtime.open(model, 'webgpu');
  expect(await runsUntilRecorded(again, model, frames)).toBeGreaterThan(3);
  await again.release();
});

/** A model with non-maximum suppression, so that the number of its boxes depends on the picture. */
function suppressing(): Uint8Array<ArrayBuffer> {
  const graph = new GraphBuilder();
  const image = graph.input('image', 'float32', [1, 3, 24, 32]);
  const means = graph.add('ReduceMean', [image, graph.ints([2], [0, 2])], { keepdims: { int: 0 } }); // [3, 32]
  const scores = graph.add('Reshape', [means, graph.ints([3], [1, 3, 32])]);
  const corner = (at: number) => [at % 8, at >> 3, (at % 8) + 2, (at >> 3) + 2];
  const boxes = graph.floats([1, 32, 4], Float32Array.from(Array.from({ length: 32 }, (_, at) => corner(at)).flat()));
  const limits = [graph.ints([1], [20]), graph.floats([1], [0.1]), graph.floats([1], [0])];
  const kept = graph.add('NonMaxSuppression', [boxes, scores, ...limits]);
  const first = graph.add('Slice', [kept, graph.ints([1], [0]), graph.ints([1], [2]), graph.ints([1], [0])]);
  graph.output('kept', graph.add('Cast', [first], { to: { int: 1 } }), 'float32', [2, 3]);
  return graph.build({ graphName: 'suppressing', producer: 'test', opset: 18 });
}

it('reads nothing back from the GPU of what the CPU made', async () => {
  const onCpu = await runtime.open(suppressing(), 'wasm');
  const session = await runtime.open(suppressing(), 'webgpu');
  const reads = vi.spyOn(GPUDevice.prototype, 'createBuffer');
  for (const frame of frames) {
    const expected = await onCpu.run({ image: preprocess(frame.source, specOf(session)) });
    expect((await session.gpu!.run(frame, specOf(session))).results).toEqual(expected);
  }
  expect(reads.mock.calls.filter(([{ label }]) => label === 'read back')).toEqual([]);
  await Promise.all([session.release(), onCpu.release()]);
});

it('records nothing of a model with a part that the CPU runs, and says so', async () => {
  const said = vi.spyOn(console, 'error');
  const graph = new GraphBuilder();
  const image = graph.input('image', 'float32', [1, 3, 24, 32]);
  const where = graph.add('NonZero', [graph.add('Relu', [image])]);
  graph.output('count', graph.add('Cast', [graph.add('Shape', [where])], { to: { int: 1 } }), 'float32', [2]);
  const session = await runtime.open(graph.build({ graphName: 'n', producer: 'test', opset: 18 }), 'webgpu');
  for (const frame of frames) {
    const { results } = await session.gpu!.run(frame, specOf(session));
    const seen = preprocess(frame.source, specOf(session)).data as Float32Array;
    expect([...results['count']!.data]).toEqual([4, seen.filter((value) => value > 0).length]);
  }
  expect(await whyNotRecorded(session)).toBe('some of its operators run on the CPU');
  await session.release();
  expect(said).not.toHaveBeenCalled();
});

it.each<[string, (graph: GraphBuilder, image: string) => string, string]>([
  [
    'ends in a copy, which is not recorded',
    (graph, image) => graph.add('Reshape', [graph.add('Relu', [image]), graph.ints([2], [1, 2304])]),
    'its output "y" is another when its orders are repeated',
  ],
  [
    'gives the same for every picture',
    (graph, image) => graph.add('Flatten', [graph.add('Mul', [image, graph.floats([], [0])])]),
    'its output "y" was the same for all pictures that it was tried on',
  ],
])('does not repeat the orders of a model that %s', async (_, made, because) => {
  const graph = new GraphBuilder();
  graph.output('y', made(graph, graph.input('image', 'float32', [1, 3, 24, 32])), 'float32', ['n', 'rest']);
  const model = graph.build({ graphName: 'y', producer: 'test', opset: 18 });
  const session = await runtime.open(model, 'webgpu');
  for (const frame of frames) {
    const { results } = await session.gpu!.run(frame, specOf(session));
    expect(results).toEqual(await uncaptured(model, frame));
  }
  expect(await whyNotRecorded(session)).toBe(because);
  await session.release();
});
