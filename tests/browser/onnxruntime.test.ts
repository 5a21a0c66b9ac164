import { describe, expect, it } from 'vitest';
import { compareOutputs } from '../../workers/vision/engine/compare-outputs.ts';
import { FallbackSession } from '../../workers/vision/engine/fallback-session.ts';
import { testCard, trialFeeds } from '../../workers/vision/engine/warm-up.ts';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { createOnnxRuntime } from '../../src/platform/browser/onnxruntime/onnxruntime.ts';
import type { EightBitFrame } from '../../src/machine/vision/frame/frame.ts';
import { pixelsOf, toGpu, withStep } from '../../src/machine/vision/gpu/gpu-frame.ts';
import { inputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import { preprocess, referenceStretchKernel } from '../../src/machine/vision/preprocess/preprocess.ts';
import type { TensorData, TensorDtype } from '../../src/machine/vision/tensor/tensor.ts';
import { randomFrame, randomSource } from '../random-frame.ts';

// ONNX Runtime does not expose its heaps, so record every WebAssembly memory that is created.
const heaps: WebAssembly.Memory[] = [];
const NativeMemory = WebAssembly.Memory;
WebAssembly.Memory = class extends NativeMemory {
  constructor(descriptor: WebAssembly.MemoryDescriptor) {
    super(descriptor);
    heaps.push(this);
  }
};

const header = { graphName: 'tiny', producer: 'test', opset: 18 };

/** A model y = x · 2 + 1 with unused weights of the given length, which make it large. */
function doublePlusOne(dtype: TensorDtype = 'float32', weightCount = 1): Uint8Array<ArrayBuffer> {
  const graph = new GraphBuilder();
  const x = graph.input('x', dtype, ['n', 3]);
  const wide = dtype === 'float32' ? x : graph.add('Cast', [x], { to: { int: 1 } });
  const weights = graph.floats([weightCount], new Float32Array(weightCount).fill(2));
  const two = graph.add('ReduceMax', [weights], { keepdims: { int: 0 } });
  graph.output('y', graph.add('Add', [graph.add('Mul', [wide, two]), graph.floats([], [1])]), 'float32', ['n', 3]);
  return graph.build(header);
}

const builtin = async (id: string) => new Uint8Array(await (await fetch(`/builtin/models/${id}.onnx`)).arrayBuffer());

describe('ONNX Runtime in the browser', () => {
  const runtime = createOnnxRuntime();

  it('runs a model on the CPU and declares its tensors', async () => {
    const session = await runtime.open(doublePlusOne(), 'wasm');
    expect(session.inputs).toEqual([{ name: 'x', dtype: 'float32', shape: [-1, 3], symbols: ['n', null] }]);
    const { y } = await session.run({ x: { dtype: 'float32', shape: [1, 3], data: Float32Array.of(1, 2, 3) } });
    expect(y).toEqual({ dtype: 'float32', shape: [1, 3], data: Float32Array.of(3, 5, 7) });
    await session.release();
    await session.release();
    await expect(session.run({})).rejects.toMatchObject({ code: 'runtime' });
  });

  it.each([
    ['uint8', Uint8Array.of(1, 2, 3)],
    ['int32', Int32Array.of(1, 2, 3)],
    ['int64', BigInt64Array.of(1n, 2n, 3n)],
    ['float16', Uint16Array.of(0x3c00, 0x4000, 0x4200)],
    ['bool', Uint8Array.of(1, 1, 1)],
  ] as const)('takes %s', async (dtype, data) => {
    const session = await runtime.open(doublePlusOne(dtype), 'wasm');
    const { y } = await session.run({ x: { dtype, shape: [1, 3], data } });
    expect([...(y!.data as Float32Array)]).toEqual(dtype === 'bool' ? [3, 3, 3] : [3, 5, 7]);
    await session.release();
  });

  it.each([
    ['not-onnx', () => new TextEncoder().encode('PK\u0003\u0004 no model at all, but long enough to be read')],
    [
      'unsupported-operator',
      () => {
        const graph = new GraphBuilder();
        const x = graph.input('x', 'float32', [1]);
        graph.output('y', graph.add('NoSuchOperator', [x]), 'float32', [1]);
        return graph.build(header);
      },
    ],
    [
      'unsupported-operator',
      () => {
        const graph = new GraphBuilder();
        graph.output('y', graph.input('x', 'float32', [1]), 'float32', [1]);
        return graph.build({ ...header, opset: 99 });
      },
    ],
  ] as const)('says in words what it cannot load: %s', async (code, model) => {
    await expect(runtime.open(model(), 'wasm')).rejects.toMatchObject({ name: 'InferenceError', code });
  });

  it('says in words what does not fit', async () => {
    const session = await runtime.open(doublePlusOne(), 'wasm');
    const bad = { dtype: 'float32', shape: [1, 4], data: new Float32Array(4) } as const;
    await expect(session.run({ x: bad })).rejects.toMatchObject({ code: 'shape-mismatch' });
    const integers = { dtype: 'int32', shape: [1, 3], data: new Int32Array(3) } as const;
    await expect(session.run({ x: integers })).rejects.toMatchObject({ code: 'unsupported-dtype' });
    await session.release();
  });

  it('frees the memory of a model that is unloaded', async () => {
    const model = doublePlusOne('float32', 2_000_000); // 8 MB, so that a leak of fifty models would be measurable
    const bytesHeld = () => heaps.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    const cycle = async () => {
      const session = await runtime.open(model, 'wasm');
      await session.run({ x: { dtype: 'float32', shape: [1, 3], data: new Float32Array(3) } });
      await session.release();
    };
    for (let i = 0; i < 3; i++) await cycle();
    expect(heaps.length).toBeGreaterThan(0);
    const before = bytesHeld();
    for (let i = 0; i < 50; i++) await cycle();
    expect(bytesHeld()).toBe(before);
  });

  it('gives the same on the GPU', { timeout: 90_000 }, async () => {
    const model = await builtin('face-detector'); // its NonMaxSuppression runs on the CPU
    const cpu = await runtime.open(model, 'wasm');
    const gpu = await runtime.open(model, 'webgpu');
    const feeds = trialFeeds(cpu.inputs, testCard(), referenceStretchKernel);
    const expected = await cpu.run(feeds);
    expect(compareOutputs(expected, await gpu.run(feeds)).largest).toBeLessThan(1e-3);
    await Promise.all([gpu.release(), cpu.release()]);
  });
});

/** All GPU devices that are opened here, so that a test can destroy them. */
const devices: GPUDevice[] = [];
const { requestDevice } = GPUAdapter.prototype;
GPUAdapter.prototype.requestDevice = async function (descriptor) {
  const device = await requestDevice.call(this, descriptor);
  devices.push(device);
  return device;
};

describe('a frame on the GPU of its model', () => {
  const runtime = createOnnxRuntime();
  const feeding = { bgr: false, mean: [0.5, 0.25, 0], stdDev: [0.5, 1, 2] } as const;
  const frame = randomFrame(randomSource(5), 'ycbcr8', 47, 33, 'opaque') as EightBitFrame;
  const turned = withStep(toGpu(frame), { type: 'rotate', attributes: { angleDegs: 90 } });

  /** A model that returns its input, and the input's largest value as an int64. */
  function mirrorOf(dtype: 'float32' | 'uint8', shape: readonly (number | string)[]): Uint8Array<ArrayBuffer> {
    const graph = new GraphBuilder();
    const image = graph.input('image', dtype, shape);
    const float = dtype === 'float32' ? image : graph.add('Cast', [image], { to: { int: 1 } });
    graph.output('pixels', graph.add('Mul', [float, graph.floats([], [1])]), 'float32', shape);
    const largest = graph.add('ReduceMax', [float], { keepdims: { int: 0 } });
    graph.output('largest', graph.add('Cast', [largest], { to: { int: 7 } }), 'int64', []);
    return graph.build(header);
  }

  it.each([
    ['float32', 'nchw', [1, 3, 20, 31]],
    ['uint8', 'nhwc', [1, 20, 31, 3]],
    ['float32', 'nchw', [1, 3, 'height', 'width']],
  ] as const)('reaches a %s %s model as the reference packs it: %j', async (dtype, layout, shape) => {
    const session = await runtime.open(mirrorOf(dtype, shape), 'webgpu');
    const input = { ...inputSpec(session.inputs, noAttributes), ...feeding };
    expect(input).toMatchObject({ dtype, layout });
    expect(session.gpu!.refusal).toBe('');
    for (const onGpu of [turned, toGpu(frame), turned]) {
      const expected = preprocess(pixelsOf(onGpu), input);
      const looks = [{ afterSteps: onGpu.steps.length, longestSidePx: null }];
      const { results, shape: fed, pictures } = await session.gpu!.run(onGpu, input, looks);
      expect(pictures.map(({ width, height }) => [width, height])).toEqual([[onGpu.widthPx, onGpu.heightPx]]);
      for (const picture of pictures) picture.close();
      expect(fed).toEqual(expected.shape);
      expect(results['pixels']!.shape).toEqual(expected.shape);
      expect(results['pixels']!.data).toEqual(Float32Array.from(expected.data as Float32Array));
      expect(results['largest']).toMatchObject({ dtype: 'int64', data: BigInt64Array.of(largestOf(expected.data)) });
    }
    await session.release();
    await expect(session.gpu!.run(turned, input)).rejects.toMatchObject({ code: 'runtime' });
  });

  it('is said to be lost with its device, and the next model gets another device', async () => {
    const open = () => runtime.open(mirrorOf('float32', [1, 3, 8, 8]), 'webgpu');
    const session = await open();
    const input = { ...inputSpec(session.inputs, noAttributes), ...feeding };
    const expected = preprocess(frame, input).data;
    const lost = new Promise<void>((resolve) => runtime.onGpuLost(resolve));
    const running = session.gpu!.run(toGpu(frame), input, [{ afterSteps: 0, longestSidePx: null }]);
    for (const device of devices) device.destroy();
    await expect(running).rejects.toMatchObject({ code: 'device-lost' });
    await lost;
    await expect(session.gpu!.run(toGpu(frame), input)).rejects.toMatchObject({ code: 'device-lost' });
    const feeds = { image: preprocess(frame, input) };
    const fallback = new FallbackSession(
      session,
      () => runtime.open(mirrorOf('float32', [1, 3, 8, 8]), 'wasm'),
      () => 0,
    );
    expect((await fallback.run(feeds))['pixels']!.data).toEqual(expected);
    expect(fallback.gpu).toBeNull();

    const again = await open();
    expect((await again.gpu!.run(toGpu(frame), input)).results['pixels']!.data).toEqual(expected);
    await Promise.all([again.release(), fallback.release()]);
  });

  it('is refused where the GPU refuses its memory, and the next one is right', async () => {
    const session = await runtime.open(mirrorOf('float32', [1, 3, 8, 8]), 'webgpu');
    const input = { ...inputSpec(session.inputs, noAttributes), ...feeding };
    const vast = {
      ...toGpu(frame),
      steps: [{ type: 'resize', attributes: { widthPx: 2 ** 15, heightPx: 2 ** 15 } }],
    } as const;
    await expect(session.gpu!.run(vast, input)).rejects.toMatchObject({ code: 'out-of-memory' });
    const { results } = await session.gpu!.run(toGpu(frame), input);
    expect(results['pixels']!.data).toEqual(preprocess(frame, input).data);
    await session.release();
  });
});

const noAttributes = { remapInputNames: {}, meanValue: [0, 0, 0], stdDev: [1, 1, 1], bgr: false };

const largestOf = (data: TensorData) => BigInt(Math.trunc(Math.max(...Array.from(data as Float32Array))));
