import { describe, expect, it } from 'vitest';
import { tfliteChannelMeans, tfliteDetections, tfliteSameIntegers, tinyTflite } from '../../../tests/tflite-models.ts';
import type { Tensor, TensorDtype } from '../../machine/vision/tensor/tensor.ts';
import { openLiteRt } from './litert.ts';

const reshape = 22;
const where = 109;

describe('LiteRT in Node', () => {
  it('computes what the model says', async () => {
    const session = await openLiteRt(tfliteChannelMeans({ heightPx: 2, widthPx: 1 }));
    const image: Tensor = { dtype: 'float32', shape: [1, 2, 1, 3], data: Float32Array.of(1, 2, 3, 2, 4, 6) };
    const once = await session.run({ image });
    expect(once).toEqual({ probability: { dtype: 'float32', shape: [1, 3], data: Float32Array.of(1.5, 3, 4.5) } });
    expect(await session.run({ image })).toEqual(once);
    await expect(session.run({ picture: image })).rejects.toThrow('no input "picture"; its inputs are "image"');
    await session.release();
  });

  it.each<[number, TensorDtype, Tensor['data']]>([
    [3, 'uint8', Uint8Array.of(0, 1, 2, 200, 254, 255)],
    [9, 'int8', Int8Array.of(-128, -1, 0, 1, 2, 127)],
    [7, 'int16', Int16Array.of(-32768, -1, 0, 1, 2, 32767)],
    [2, 'int32', Int32Array.of(-(2 ** 31), -1, 0, 1, 2, 2 ** 31 - 1)],
    [4, 'int64', BigInt64Array.of(-(2n ** 63n), -1n, 0n, 1n, 2n, 2n ** 63n - 1n)],
  ])('hands on what is stored, unscaled: %i %s', async (type, dtype, data) => {
    const session = await openLiteRt(tfliteSameIntegers(type, 6));
    const { probability } = await session.run({ image: { dtype, shape: [1, 1, 2, 3], data } });
    expect(probability).toEqual({ dtype, shape: [1, 6], data });
    await session.release();
  });

  it('has outputs in the order and at the sizes of the interpreter, whatever a signature says', async () => {
    const session = await openLiteRt(
      tinyTflite({
        tensors: [
          { name: 'x', type: 3, shape: [1, 2, 1, 3], signature: [-1, 2, 1, 3] },
          { name: 'row', type: 2, shape: [2], data: [1, 0, 0, 0, 6, 0, 0, 0] },
          { name: 'column', type: 2, shape: [2], data: [6, 0, 0, 0, 1, 0, 0, 0] },
          { name: 'call:1', type: 3, shape: [1, 1], signature: [1, -1] },
          { name: 'call:0', type: 3, shape: [6, 1] },
        ],
        operators: [
          { code: reshape, inputs: [0, 1], outputs: [3] },
          { code: reshape, inputs: [0, 2], outputs: [4] },
        ],
        inputs: [0],
        outputs: [4, 3],
        signature: { inputs: [['image', 0]], outputs: [['a', 3], ['b', 4]] },
      }),
    ); // prettier-ignore
    expect(session.outputs.map(({ name, shape }) => [name, shape])).toEqual([
      ['call:0', [6, 1]],
      ['call:1', [1, 6]],
    ]);
    const results = await session.run({
      x: { dtype: 'uint8', shape: [1, 2, 1, 3], data: Uint8Array.of(1, 2, 3, 4, 5, 6) },
    });
    expect(Object.entries(results).map(([name, { shape }]) => [name, shape])).toEqual([
      ['call:0', [6, 1]],
      ['call:1', [1, 6]],
    ]);
    await session.release();
  });

  it('says so when an output has no size before a run', async () => {
    const tensors = [
      { name: 'x', type: 3, shape: [1, 4] },
      { name: 'y', type: 4, shape: [1, 2], signature: [-1, 2] },
    ];
    const bytes = tinyTflite({
      tensors,
      operators: [{ code: where, inputs: [0], outputs: [1] }],
      inputs: [0],
      outputs: [1],
    });
    await expect(openLiteRt(bytes)).rejects.toMatchObject({
      code: 'shape-mismatch',
      message: expect.stringContaining('The size of an output depends on what the model sees'),
    });
  });

  const detections = {
    max_detections: { int: 3000 },
    max_classes_per_detection: { int: 1 },
    num_classes: { int: 1 },
    nms_score_threshold: { float: 0.1 },
    nms_iou_threshold: { float: 0.5 },
    y_scale: { float: 1 },
    x_scale: { float: 1 },
    h_scale: { float: 1 },
    w_scale: { float: 1 },
  };

  it('gives a detection operator room for what it finds, where the file says no size of it', async () => {
    const session = await openLiteRt(tfliteDetections([0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.5, 0.5], detections));
    expect(session.outputs.map(({ shape }) => shape)).toEqual([[1, 3000, 4], [1, 3000], [1, 3000], [1]]);
    const { location, score, count } = await session.run({
      boxes: { dtype: 'float32', shape: [1, 2, 4], data: new Float32Array(8) },
      scores: { dtype: 'float32', shape: [1, 2, 2], data: Float32Array.of(0, 0.5, 0, 0.75) },
    });
    expect([...location!.data].slice(0, 8)).toEqual([0, 0, 0.5, 0.5, 0.25, 0.375, 0.75, 0.625]);
    expect([...score!.data].slice(0, 2)).toEqual([0.75, 0.5]); // behind them is what memory held
    expect([...count!.data]).toEqual([2]);
    await session.release();
  });

  it('refuses a detection operator that nothing gives a size', async () => {
    const { max_detections: _, ...open } = detections;
    await expect(openLiteRt(tfliteDetections([0.5, 0.5, 0.5, 0.25], open))).rejects.toMatchObject({
      code: 'unsupported-operator',
      message: expect.stringMatching(/TFLite_Detection_PostProcess gives "location" without a size/),
    });
  });

  it('refuses operators that are not built in, by name', async () => {
    const tensors = ['x', 'y'].map((name) => ({ name, type: 0, shape: [1, 4] }));
    const bytes = tinyTflite({
      tensors,
      operators: [{ code: 'FlexErf', inputs: [0], outputs: [1] }],
      inputs: [0],
      outputs: [1],
    });
    await expect(openLiteRt(bytes)).rejects.toMatchObject({
      code: 'unsupported-operator',
      message: expect.stringContaining('FlexErf'),
    });
  });
});
