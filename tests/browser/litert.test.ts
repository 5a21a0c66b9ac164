import { describe, expect, it } from 'vitest';
import { createLiteRt } from '../../src/platform/browser/litert/litert.ts';
import { tfliteChannelMeans, tfliteSameIntegers, tinyTflite } from '../tflite-models.ts';

const uint8 = 3;
const int8 = 9;

describe.each([1, 2])('LiteRT in the browser, threads: %i', (threads) => {
  const runtime = createLiteRt(threads);

  it('runs a model under the interpreter’s names', async () => {
    expect(globalThis.crossOriginIsolated).toBe(true);
    const session = await runtime.open(
      tfliteChannelMeans({ name: 'serving_default_x:0', heightPx: 1, widthPx: 2 }),
      'wasm',
    );
    expect(session.inputs).toMatchObject([{ name: 'serving_default_x:0', dtype: 'float32', shape: [1, 1, 2, 3] }]);
    const data = Float32Array.of(1, 2, 3, 2, 4, 6);
    const { probability } = await session.run({
      'serving_default_x:0': { dtype: 'float32', shape: [1, 1, 2, 3], data },
    });
    expect(probability).toEqual({ dtype: 'float32', shape: [1, 3], data: Float32Array.of(1.5, 3, 4.5) });
    await session.release();
    await session.release();
    await expect(session.run({})).rejects.toMatchObject({ code: 'runtime' });
  });

  it.each([
    [uint8, 'uint8', Uint8Array.of(0, 1, 127, 128, 254, 255)],
    [int8, 'int8', Int8Array.of(-128, -1, 0, 1, 126, 127)],
  ] as const)('hands on what is stored, unscaled: type %i', async (type, dtype, data) => {
    const session = await runtime.open(tfliteSameIntegers(type, 6), 'wasm');
    const { probability } = await session.run({ image: { dtype, shape: [1, 1, 2, 3], data } });
    expect(probability).toEqual({ dtype, shape: [1, 6], data });
    await session.release();
  });

  it('says what it cannot do', async () => {
    await expect(runtime.open(tfliteChannelMeans(), 'webgpu')).rejects.toMatchObject({ code: 'runtime' });
    const tensors = ['x', 'y'].map((name) => ({ name, type: 0, shape: [1, 4] }));
    const foreign = { tensors, operators: [{ code: 'FlexErf', inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] };
    await expect(runtime.open(tinyTflite(foreign), 'wasm')).rejects.toMatchObject({ code: 'unsupported-operator' });
    const session = await runtime.open(tfliteChannelMeans({ heightPx: 1, widthPx: 1 }), 'wasm');
    const short = { dtype: 'float32', shape: [1, 1, 1, 2], data: Float32Array.of(1, 2) } as const;
    await expect(session.run({ image: short })).rejects.toMatchObject({
      code: 'shape-mismatch',
      message: 'Input "image" takes 12 bytes (float32 1×1×1×3) and was given 8 (float32 1×1×1×2).',
    });
    await session.release();
  });
});
