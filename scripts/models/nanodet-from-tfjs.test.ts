import * as ort from 'onnxruntime-web';
import { expect, it } from 'vitest';
import { nanodetFromTfjs } from './nanodet-from-tfjs.ts';

type Model = Parameters<typeof nanodetFromTfjs>[0];

const sizePx = 416;
const half = (sizePx / 2) ** 2;

/** A constant of the graph: whole numbers, or numbers that float16 has exactly, as bits. */
const constant = (name: string, shape: readonly number[], values: readonly number[], isFloat = false) => ({
  weight: { name, shape, dtype: isFloat ? 'float32' : 'int32' },
  bytes: isFloat ? new Uint8Array(Uint16Array.from(values).buffer) : new Uint8Array(Int32Array.from(values).buffer),
});
const [one, two, minusHalf] = [0x3c00, 0x4000, 0xb800];

it('computes what the TensorFlow.js graph does: kernels put in order, paddings, transposes and slope', async () => {
  // A kernel of 1×1: the first output is red twice, less half of blue; the second is red less half of green.
  const kernel = [two, one, 0, minusHalf, minusHalf, 0];
  const constants = [
    constant('paddings', [4, 2], [0, 0, 0, 0, 0, 0, 0, 0]),
    constant('toLast', [4], [0, 2, 3, 1]),
    constant('toFirst', [4], [0, 3, 1, 2]),
    constant('kernel', [1, 1, 3, 2], kernel, true),
    constant('bias', [2], [0, one], true),
    constant('sizes', [2], [1, 1]),
    constant('rows', [3], [0, 2, 1]),
  ];
  const node = [
    { name: 'pad', op: 'Pad', input: ['input_1', 'paddings'] },
    { name: 'last', op: 'Transpose', input: ['pad', 'toLast'] },
    { name: 'conv', op: 'Conv2D', input: ['last', 'kernel'], attr: { strides: { list: { i: ['1', '2', '2', '1'] } } } },
    { name: 'biased', op: 'Add', input: ['conv', 'bias'] },
    { name: 'first', op: 'Transpose', input: ['biased', 'toFirst'] },
    { name: 'leaky', op: 'LeakyRelu', input: ['first'], attr: { alpha: { f: 0.1 } } },
    { name: 'all', op: 'ConcatV2', input: [...Array<string>(22).fill('leaky'), 'axis'] },
    { name: 'flat', op: 'Reshape', input: ['all', 'shape'] },
    { name: 'turned', op: 'Transpose', input: ['flat', 'rows'] },
    { name: 'Identity', op: 'Identity', input: ['turned'] },
  ];
  const model: Model = {
    modelTopology: { node },
    weightsManifest: [{ weights: constants.map(({ weight }) => weight) }],
  };
  const bytes = new Uint8Array(await new Blob(constants.map((each) => each.bytes)).arrayBuffer());

  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(nanodetFromTfjs(model, bytes, [['rows', half, 44]]));
  const picture = new Float32Array(3 * sizePx * sizePx);
  const put = (channel: number, x: number, y: number, value: number) =>
    void (picture[(channel * sizePx + y) * sizePx + x] = value);
  put(0, 2, 4, 3); // red
  put(1, 2, 4, 10); // green
  put(2, 2, 4, 1); // blue
  put(0, 3, 4, 9); // skipped by the stride
  const images = new ort.Tensor('float32', picture, [1, 3, sizePx, sizePx]);
  const { rows } = await session.run({ images });
  await session.release();
  const at = (x: number, y: number) =>
    Array.from(rows!.data as Float32Array).slice(44 * (y * 208 + x), 44 * (y * 208 + x) + 2);
  // Weights are rounded to 127 steps of the largest of their output.
  expect(at(1, 2)[0]).toBeCloseTo(2 * 3 - 0.5, 1);
  expect(at(1, 2)[1]).toBeCloseTo(0.1 * (3 - 5 + 1), 2);
  expect(at(0, 0)).toEqual([0, 1]);
});

it('refuses a graph that it does not know', () => {
  const model = (op: string): Model => ({
    modelTopology: {
      node: [
        { name: 'Identity', op: 'Identity', input: ['x'] },
        { name: 'x', op, input: ['input_1'] },
      ],
    },
    weightsManifest: [{ weights: [] }],
  });
  const convert = (op: string) => nanodetFromTfjs(model(op), new Uint8Array(), [['rows', 1, 1]]);
  expect(() => convert('Softmax')).toThrow('x is a Softmax, which this conversion does not know.');
  expect(() => convert('Transpose')).toThrow('undefined is no constant of the graph.');
});
