import { FlatTable } from '../src/models/tflite/flat-table.ts';
import { writeFlatbuffer, type FlatField } from '../src/models/tflite/write-flatbuffer.ts';
import { writeFlexMap, type FlexValue } from '../src/models/tflite/write-flex-map.ts';

/** Small .tflite files for tests, built in memory. Their outputs can be computed by hand. */

export interface TinyTensor {
  readonly name: string;
  /** TensorType's number: 0 float32, 1 float16, 2 int32, 3 uint8, 6 bool, 9 int8 … */
  readonly type: number;
  /** null: the file leaves no place for one, as TensorFlow's newer converters do for an open one */
  readonly shape: readonly number[] | null;
  readonly signature?: readonly number[];
  readonly quantization?: { readonly scale: readonly number[]; readonly zeroPoint: readonly number[] };
  /** the bytes of a constant tensor */
  readonly data?: readonly number[];
}

export interface TinyOperator {
  /** BuiltinOperator's number, or the name of a custom operator */
  readonly code: number | string;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly options?: { readonly type: number; readonly fields: readonly FlatField[] };
  readonly customOptions?: readonly number[];
}

export interface TinyTflite {
  readonly version?: number;
  readonly description?: string;
  readonly tensors: readonly TinyTensor[];
  readonly operators: readonly TinyOperator[];
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** a signature with its own names and order of the tensors: [name, tensor index] */
  readonly signature?: Readonly<Record<'inputs' | 'outputs', readonly (readonly [string, number])[]>>;
  readonly metadata?: Readonly<Record<string, Uint8Array>>;
}

const custom = 32;

export function tinyTflite(model: TinyTflite): Uint8Array<ArrayBuffer> {
  const { version = 3, description = 'sightglass-tests', tensors, operators, signature, metadata = {} } = model;
  // By convention buffer 0 is empty, for tensors without data.
  const buffers: FlatField[][] = [[]];
  const addBuffer = (bytes: Uint8Array | readonly number[]) => buffers.push([{ bytes }]) - 1;
  const named = (pairs: readonly (readonly [string, number])[]) => ({
    tables: pairs.map(([name, index]): FlatField[] => [{ text: name }, { int32: index }]),
  });
  const tensorTables = tensors.map((tensor): FlatField[] => [
    tensor.shape ? { int32s: tensor.shape } : undefined,
    { int8: tensor.type },
    { int32: tensor.data ? addBuffer(tensor.data) : 0 },
    { text: tensor.name },
    tensor.quantization && {
      table: [undefined, undefined, { float32s: tensor.quantization.scale }, { int64s: tensor.quantization.zeroPoint }],
    },
    undefined,
    undefined,
    tensor.signature && { int32s: tensor.signature },
    { int8: 1 },
  ]);
  const operatorTables = operators.map(({ inputs, outputs, options, customOptions }, i): FlatField[] => [
    { int32: i },
    { int32s: inputs },
    { int32s: outputs },
    options && { int8: options.type },
    options && { table: options.fields },
    customOptions && { bytes: customOptions },
  ]);
  const metadataTables = Object.entries(metadata).map(([name, bytes]): FlatField[] => [
    { text: name },
    { int32: addBuffer(bytes) },
  ]);
  return writeFlatbuffer(
    [
      { int32: version },
      {
        tables: operators.map(({ code }): FlatField[] => {
          const number = typeof code === 'string' ? custom : code;
          return [
            { int8: Math.min(number, 127) },
            typeof code === 'string' ? { text: code } : undefined,
            { int32: 1 },
            { int32: number },
          ];
        }),
      },
      {
        tables: [
          [
            { tables: tensorTables },
            { int32s: model.inputs },
            { int32s: model.outputs },
            { tables: operatorTables },
            { text: 'main' },
          ],
        ],
      },
      { text: description },
      { tables: buffers },
      undefined,
      { tables: metadataTables },
      signature && {
        tables: [[named(signature.inputs), named(signature.outputs), { text: 'serving_default' }, undefined]],
      },
    ],
    'TFL3',
  );
}

/** The same file, its outputs without a place for their shape. */
export function withoutOutputShapes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const graph = FlatTable.root(bytes).tables(2)[0]!;
  const tensors = graph.tables(0);
  const parts = graph.int32s(2).map((index) => {
    const tensor = tensors[index]!;
    const fields = [undefined, { int8: tensor.int8(1) }, { int32: tensor.uint32(2) }, { text: tensor.string(3) }];
    return { index, table: writeFlatbuffer(fields, '') };
  });
  const file = new Uint8Array(bytes.length + parts.reduce((sum, { table }) => sum + table.length + 4, 4));
  file.set(bytes);
  const view = new DataView(file.buffer);
  let at = Math.ceil(bytes.length / 4) * 4;
  for (const { index, table } of parts) {
    file.set(table, at);
    const entry = graph.listAt(0) + 4 + 4 * index;
    view.setUint32(entry, at + view.getUint32(at, true) - entry, true);
    at += table.length;
  }
  return file;
}

/**
 * The end of an SSD: boxes [1,N,4] and scores [1,N,2], the background first, are its inputs; of what the detection operator
 * gives, the file says no shape.
 */
export function tfliteDetections(anchors: readonly number[], options: Readonly<Record<string, FlexValue>>) {
  const count = anchors.length / 4;
  const outputs = ['location', 'category', 'score', 'count'];
  return tinyTflite({
    tensors: [
      { name: 'boxes', type: 0, shape: [1, count, 4] },
      { name: 'scores', type: 0, shape: [1, count, 2] },
      { name: 'anchors', type: 0, shape: [count, 4], data: [...new Uint8Array(Float32Array.from(anchors).buffer)] },
      ...outputs.map((name) => ({ name, type: 0, shape: null })),
    ],
    operators: [
      {
        code: 'TFLite_Detection_PostProcess',
        inputs: [0, 1, 2],
        outputs: [3, 4, 5, 6],
        customOptions: [...writeFlexMap(options)],
      },
    ],
    inputs: [0, 1],
    outputs: [3, 4, 5, 6],
  });
}

const mean = { code: 40, options: { type: 27, fields: [{ int8: 0 }] } };
const reshape = 22;

export interface TinyPicture {
  readonly name?: string;
  readonly heightPx?: number;
  readonly widthPx?: number;
}

/** A model whose output, probability [1,3], is the mean of each input channel (float32, no scaling). */
export function tfliteChannelMeans({ name = 'image', heightPx = 4, widthPx = 4 }: TinyPicture = {}) {
  return tinyTflite({
    tensors: [
      { name, type: 0, shape: [1, heightPx, widthPx, 3] },
      { name: 'axes', type: 2, shape: [2], data: [1, 0, 0, 0, 2, 0, 0, 0] },
      { name: 'probability', type: 0, shape: [1, 3] },
    ],
    operators: [{ ...mean, inputs: [0, 1], outputs: [2] }],
    inputs: [0],
    outputs: [2],
  });
}

/** A model that returns its input as one row, to test that integers are not scaled. `type`: TensorType's number, 3 uint8 or 9 int8. */
export function tfliteSameIntegers(type: number, count = 12, { name = 'image' }: TinyPicture = {}) {
  const quantization = { scale: [0.5], zeroPoint: [7] };
  return tinyTflite({
    tensors: [
      { name, type, shape: [1, count / 6, 2, 3], quantization },
      { name: 'shape', type: 2, shape: [2], data: [1, 0, 0, 0, count, 0, 0, 0] },
      { name: 'probability', type, shape: [1, count], quantization },
    ],
    operators: [{ code: reshape, inputs: [0, 1], outputs: [2] }],
    inputs: [0],
    outputs: [2],
  });
}

const relu6 = 3;

/**
 * A network of two convolutions, a mean, a dense layer and a sigmoid on a float32 picture of 0 to 1, with the output
 * scores [1,4]. Its weights are sines: only the exactness of the outputs matters, not their meaning.
 */
export function tfliteFloatNet(sidePx = 32) {
  const weights = (name: string, shape: readonly number[], scale: number) => {
    const values = Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i + 1) * scale);
    return { name, type: 0, shape, data: [...new Uint8Array(values.buffer)] };
  };
  const value = (name: string, ...shape: readonly number[]) => ({ name, type: 0, shape });
  const half = sidePx / 2;
  return tinyTflite({
    tensors: [
      value('image', 1, sidePx, sidePx, 3),
      weights('conv/filter', [8, 3, 3, 3], 1),
      weights('conv/bias', [8], 1),
      value('conv', 1, half, half, 8),
      weights('depthwise/filter', [1, 3, 3, 8], 0.5),
      weights('depthwise/bias', [8], 0.1),
      value('depthwise', 1, half, half, 8),
      { name: 'axes', type: 2, shape: [2], data: [1, 0, 0, 0, 2, 0, 0, 0] },
      value('means', 1, 8),
      weights('dense/weights', [4, 8], 2),
      weights('dense/bias', [4], 1),
      value('dense', 1, 4),
      value('scores', 1, 4),
    ],
    operators: [
      {
        code: 3,
        inputs: [0, 1, 2],
        outputs: [3],
        options: { type: 1, fields: [{ int8: 0 }, { int32: 2 }, { int32: 2 }, { int8: relu6 }] },
      },
      {
        code: 4,
        inputs: [3, 4, 5],
        outputs: [6],
        options: { type: 2, fields: [{ int8: 0 }, { int32: 1 }, { int32: 1 }, { int32: 1 }, { int8: relu6 }] },
      },
      { ...mean, inputs: [6, 7], outputs: [8] },
      { code: 9, inputs: [8, 9, 10], outputs: [11], options: { type: 8, fields: [{ int8: 0 }] } },
      { code: 14, inputs: [11], outputs: [12] },
    ],
    inputs: [0],
    outputs: [12],
  });
}
