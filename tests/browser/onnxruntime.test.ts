import * as webgpuBuild from 'onnxruntime-web/webgpu';
import { describe, expect, it } from 'vitest';
import { compareOutputs } from '../../workers/vision/engine/compare-outputs.ts';
import { FallbackSession } from '../../workers/vision/engine/fallback-session.ts';
import { testCard, trialFeeds } from '../../workers/vision/engine/warm-up.ts';
import { GraphBuilder } from '../../src/onnx/edit-model.ts';
import { createOnnxRuntime } from '../../src/platform/browser/onnxruntime.ts';
import { referenceStretchKernel } from '../../src/vision/preprocess/preprocess.ts';
import type { TensorDtype } from '../../src/vision/tensor.ts';

// Heaps of ONNX Runtime are not given out: caught as they are made.
const heaps: WebAssembly.Memory[] = [];
const NativeMemory = WebAssembly.Memory;
WebAssembly.Memory = class extends NativeMemory {
  constructor(descriptor: WebAssembly.MemoryDescriptor) {
    super(descriptor);
    heaps.push(this);
  }
};

const header = { graphName: 'tiny', producer: 'test', opset: 18 };

/** y = x · 2 + 1, weights of the given length beside it to weigh something. */
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
    const model = doublePlusOne('float32', 2_000_000); // 8 MB: fifty of them left behind would show
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

  it('gives the same on the GPU, and goes on without it when it is lost', { timeout: 90_000 }, async ({ skip }) => {
    const { webgpu } = await runtime.capabilities();
    if (!webgpu.available) skip(`no WebGPU here: ${webgpu.reason}`);
    const model = await builtin('face-detector');
    const cpu = await runtime.open(model, 'wasm');
    const gpu = await runtime.open(model, 'webgpu');
    const feeds = trialFeeds(cpu.inputs, testCard(), referenceStretchKernel);
    const expected = await cpu.run(feeds);
    expect(compareOutputs(expected, await gpu.run(feeds)).largest).toBeLessThan(1e-3);

    const lost = new Promise<void>((resolve) => runtime.onGpuLost(resolve));
    const session = new FallbackSession(gpu, () => runtime.open(model, 'wasm'));
    (await (webgpuBuild.env.webgpu.device as Promise<GPUDevice>)).destroy();
    await lost;
    await session.deviceLost();
    expect(compareOutputs(expected, await session.run(feeds)).largest).toBe(0);
    expect((await runtime.capabilities()).webgpu).toMatchObject({ available: false });
    await expect(runtime.open(model, 'webgpu')).rejects.toMatchObject({ code: 'device-lost' });
    await Promise.all([session.release(), cpu.release()]);
  });
});
