import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { writeFlatbuffer } from './write-flatbuffer.ts';
import { tfliteChannelMeans, tfliteSameIntegers, tinyTflite, type TinyTflite } from '../../../tests/tflite-models.ts';
import { ModelError } from '../../machine/vision/errors/model-error.ts';
import { checkTfliteModel } from './check-model.ts';
import { readTfliteModel } from './read-model.ts';
import { isTflite, readTflite } from './read-tflite.ts';

const uint8 = 3;
const float32 = 0;
const int8 = 9;
const add = 0;

/** One operator from an input to as many outputs. */
function modelOf(part: Partial<TinyTflite>): Uint8Array<ArrayBuffer> {
  return tinyTflite({
    tensors: [
      { name: 'serving_default_images:0', type: float32, shape: [1, 4, 4, 3] },
      { name: 'StatefulPartitionedCall:1', type: float32, shape: [1, 2, 4] },
      { name: 'StatefulPartitionedCall:0', type: float32, shape: [1, 2] },
    ],
    operators: [{ code: add, inputs: [0], outputs: [1, 2] }],
    inputs: [0],
    outputs: [1, 2],
    ...part,
  });
}

describe('what a .tflite file says of itself', () => {
  it('is said under the names and in the order of the interpreter, whatever a signature says', () => {
    const signature = { inputs: [['images', 0]], outputs: [['boxes', 2], ['scores', 1]] } as const; // prettier-ignore
    const summary = readTfliteModel(modelOf({ signature }));
    const symbols = { symbols: [null, null, null, null] };
    expect(summary).toMatchObject({
      format: { name: 'tflite', schemaVersion: 3, signatures: ['serving_default'] },
      inputs: [{ name: 'serving_default_images:0', dtype: 'float32', shape: [1, 4, 4, 3], ...symbols }],
      outputs: [
        { name: 'StatefulPartitionedCall:1', dtype: 'float32', shape: [1, 2, 4] },
        { name: 'StatefulPartitionedCall:0', dtype: 'float32', shape: [1, 2] },
      ],
      producer: 'sightglass-tests',
      graphName: 'main',
      operators: { ADD: 1 },
      labels: null,
      warnings: [],
    });
    expect(checkTfliteModel(summary)).toEqual([]);
  });

  it('has the scales of whole numbers, and the weights counted', () => {
    const summary = readTfliteModel(tfliteSameIntegers(uint8));
    expect(summary.inputs[0]).toMatchObject({ dtype: 'uint8', quantization: { scale: [0.5], zeroPoint: [7] } });
    expect(summary.parameterCount).toBe(2); // the shape of its RESHAPE
    expect(readTfliteModel(tfliteChannelMeans()).inputs[0]).not.toHaveProperty('quantization');
  });

  it('has open sizes at what the interpreter allocates, and says so', () => {
    const tensors = [
      { name: 'x', type: uint8, shape: [1, 1, 1, 3], signature: [-1, -1, -1, 3] },
      { name: 'y', type: float32, shape: [1, 4] },
    ];
    const summary = readTfliteModel(modelOf({ tensors, operators: [], outputs: [1] }));
    expect(summary.inputs[0]!.shape).toEqual([1, 1, 1, 3]);
    expect(summary.file.inputs[0]!.shapeSignature).toEqual([-1, -1, -1, 3]);
    expect(summary.warnings.join()).toContain("(?×?×?×3); the machine's interpreter runs it at 1×1×1×3");
  });

  it.each([
    ['CONV_2D of float32 with int8 weights', 3, float32, int8, 1],
    ['DEPTHWISE_CONV_2D of them', 4, float32, int8, 1],
    ['FULLY_CONNECTED of them', 9, float32, int8, 0],
    ['CONV_2D of int8 throughout', 3, int8, int8, 0],
    ['CONV_2D of float32 throughout', 3, float32, float32, 0],
  ])('counts convolutions of dynamic range: %s', (_, code, values, weights, count) => {
    const tensors = [
      { name: 'x', type: values, shape: [1, 4, 4, 3] },
      { name: 'w', type: weights, shape: [1, 1, 1, 3] },
      { name: 'y', type: values, shape: [1, 4, 4, 1] },
    ];
    const operators = [{ code, inputs: [0, 1], outputs: [2] }];
    expect(readTflite(modelOf({ tensors, operators, outputs: [2] })).hybridConvolutions).toBe(count);
  });

  it('has the shapes that a detection operator will give, and the number of its classes', () => {
    const open = ['', ':1', ':2', ':3'].map((end) => ({
      name: `TFLite_Detection_PostProcess${end}`,
      type: float32,
      shape: [],
    }));
    const bytes = modelOf({
      tensors: [{ name: 'x', type: float32, shape: [1, 4] }, ...open],
      operators: [
        {
          code: 'TFLite_Detection_PostProcess',
          inputs: [0],
          outputs: [1, 2, 3, 4],
          customOptions: flexInts({ max_classes_per_detection: 2, max_detections: 5, num_classes: 90 }),
        },
      ],
      outputs: [1, 2, 3, 4],
    });
    const summary = readTfliteModel(bytes);
    expect(summary.outputs.map(({ shape }) => shape)).toEqual([[1, 10, 4], [1, 10], [1, 10], [1]]);
    expect(checkTfliteModel(summary)).toEqual([]);
    expect(summary.format).toMatchObject({ classCount: 90 });
  });
});

describe('how a file wants to be fed', () => {
  const normalization = [{ float32s: [127.5] }, { float32s: [63.75] }];
  it.each([
    ['mean and deviation of bytes, RGB', 1, 2, 1, { color_space: 'RGB', mean: [127.5], std: [63.75] }],
    ['mean and deviation of what is no picture', 1, 1, 1, { mean: [127.5], std: [63.75] }],
    ['RGB, and nothing of what is done to scores', 2, 2, 1, { color_space: 'RGB' }],
    ['mean and deviation of what is gray', 1, 2, 2, { mean: [127.5], std: [63.75] }],
    ['nothing', 2, 1, 1, null],
  ])('is %s', (_, unit, content, colours, said) => {
    const input = [
      undefined,
      undefined,
      undefined,
      { table: [{ int8: content }, { table: [{ int8: colours }] }] },
      { tables: [[{ int8: unit }, { table: normalization }]] },
    ];
    const described = writeFlatbuffer(
      [undefined, undefined, undefined, { tables: [[undefined, undefined, { tables: [input] }]] }],
      'M001',
    );
    const { metadata } = readTfliteModel(modelOf({ metadata: { TFLITE_METADATA: described } }));
    expect(metadata).toEqual(said ? { input_image: JSON.stringify(said) } : {});
  });
});

describe('labels packed into the file', () => {
  const withZip = (bytes: Uint8Array, files: Record<string, string>) =>
    appendZip(bytes, Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

  it('are those that the metadata of an output names', () => {
    const described = writeFlatbuffer(
      [
        { text: 'cats and dogs' },
        undefined,
        { text: 'v1' },
        {
          tables: [
            [undefined, undefined, undefined, { tables: [[undefined, undefined, undefined, undefined, undefined, undefined, { tables: [[{ text: 'b.txt' }, undefined, { int8: 2 }]] }]] }],
          ],
        },
      ],
      'M001',
    ); // prettier-ignore
    const bytes = withZip(modelOf({ metadata: { TFLITE_METADATA: described } }), {
      'a.txt': 'x',
      'b.txt': 'cat\ndog\n',
    });
    expect(readTfliteModel(bytes)).toMatchObject({
      labels: ['cat', 'dog'],
      labelsFrom: 'b.txt',
      metadata: { name: 'cats and dogs', version: 'v1' },
    });
  });

  it('are the only text in the zip where no metadata says', () => {
    expect(readTfliteModel(withZip(modelOf({}), { 'names.txt': 'cat\ndog' }))).toMatchObject({
      labels: ['cat', 'dog'],
      labelsFrom: 'names.txt',
    });
    expect(readTfliteModel(withZip(modelOf({}), { 'a.txt': 'x', 'b.txt': 'y' })).labels).toBeNull();
  });

  it('lose the background that a detection operator does not count', () => {
    const operators = [{ code: 'TFLite_Detection_PostProcess', inputs: [0], outputs: [1, 2] }];
    const files = { 'labelmap.txt': '???\nperson\nbicycle' };
    expect(readTfliteModel(withZip(modelOf({ operators }), files)).labels).toEqual(['person', 'bicycle']);
    expect(readTfliteModel(withZip(modelOf({}), files)).labels).toEqual(['???', 'person', 'bicycle']);
  });
});

describe('what the machine refuses', () => {
  it.each([
    [{ operators: [{ code: 'FlexErf', inputs: [0], outputs: [1] }] }, 'unsupported-operator', /FlexErf.*SELECT_TF_OPS/],
    [
      { operators: [{ code: 'Edge_NMS', inputs: [0], outputs: [1] }] },
      'unsupported-operator',
      /Edge_NMS.*allow_custom/,
    ],
    [{ tensors: typed(float32, 6) }, 'unsupported-tensor', /"y" \(bool\)/],
    [{ tensors: typed(1, float32) }, 'unsupported-tensor', /"x" \(float16\)/],
  ] as const)('%j → %s', (part, code, words) => {
    const refusals = checkTfliteModel(readTfliteModel(modelOf({ outputs: [1], ...part })));
    expect(refusals).toMatchObject([{ code, message: expect.stringMatching(words) }]);
  });

  it('has no words of ours for tensors: complex numbers', () => {
    expect(() => readTfliteModel(modelOf({ tensors: typed(float32, 8), outputs: [1] }))).toThrow(
      expect.objectContaining({
        code: 'unsupported-tensor',
        message: expect.stringContaining('"y" is of type complex64'),
      }),
    );
  });

  function typed(x: number, y: number) {
    return [
      { name: 'x', type: x, shape: [1, 4] },
      { name: 'y', type: y, shape: [1, 4] },
      { name: 'z', type: y, shape: [1, 4] },
    ];
  }
});

describe('a file that is damaged or made to hurt', () => {
  const sound = tfliteChannelMeans();

  it('is told by its identifier', () => {
    expect([isTflite(sound), isTflite(sound.subarray(0, 7)), isTflite(new Uint8Array(64))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    [
      'another schema',
      tinyTflite({ version: 4, tensors: [], operators: [], inputs: [], outputs: [] }),
      /version 4, not 3/,
    ],
    ['a tensor that is not there', modelOf({ inputs: [9] }), /tensor 9 of 3/],
    ['a vtable outside', Uint8Array.of(8, 0, 0, 0, 0x54, 0x46, 0x4c, 0x33, 0xff, 0xff, 0xff, 0x7f), /points to byte/],
  ])('says so: %s', (_, bytes, words) => {
    expect(() => readTfliteModel(bytes)).toThrow(
      expect.objectContaining({ code: 'not-tflite', message: expect.stringMatching(words) }),
    );
  });

  it('is refused in words wherever it is cut or changed', () => {
    const readOrRefuse = (bytes: Uint8Array) => {
      try {
        checkTfliteModel(readTfliteModel(bytes));
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
      }
    };
    fc.assert(
      fc.property(fc.nat(sound.length - 1), (length) => readOrRefuse(sound.slice(0, length))),
      { seed: 20261130 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const bytes = sound.slice();
          for (const [at, value] of changes) bytes[at] = value;
          readOrRefuse(bytes);
        },
      ),
      { seed: 20261130, numRuns: 2000 },
    );
  });
});

/** A FlexBuffers map of small whole numbers, as TensorFlow writes a custom operator's options. */
function flexInts(ints: Readonly<Record<string, number>>): number[] {
  const keys = Object.keys(ints).sort();
  const bytes: number[] = [];
  const keyAt = keys.map((key) => {
    const at = bytes.length;
    bytes.push(...strToU8(key), 0);
    return at;
  });
  bytes.push(keys.length);
  const keysStart = bytes.length;
  for (const at of keyAt) bytes.push(bytes.length - at);
  bytes.push(bytes.length - keysStart, 1, keys.length);
  const values = bytes.length;
  for (const key of keys) bytes.push(ints[key]!);
  for (const _ of keys) bytes.push(1 << 2);
  bytes.push(bytes.length - values, 9 << 2, 1);
  return bytes;
}

/** Adds a zip as Python's zipfile does to a file that is there: its offsets count from the file's beginning. */
function appendZip(bytes: Uint8Array, files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const zip = zipSync(files, { level: 0 });
  const all = new Uint8Array(bytes.length + zip.length);
  all.set(bytes);
  all.set(zip, bytes.length);
  const view = new DataView(all.buffer);
  const move = (at: number) => view.setUint32(at, view.getUint32(at, true) + bytes.length, true);
  move(all.length - 22 + 16);
  const entries = view.getUint16(all.length - 22 + 10, true);
  for (let at = view.getUint32(all.length - 6, true), i = 0; i < entries; i++) {
    move(at + 42);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return all;
}
