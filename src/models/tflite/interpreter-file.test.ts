import { expect, it } from 'vitest';
import { tfliteDetections, tinyTflite, type TinyTflite } from '../../../tests/tflite-models.ts';
import { interpreterFile } from './interpreter-file.ts';
import { FlatTable } from './flat-table.ts';
import { readTflite, tensorOf } from './read-tflite.ts';

const model: TinyTflite = {
  tensors: [
    { name: 'x', type: 0, shape: [1, 2, 2, 3], signature: [-1, -1, -1, 3] },
    { name: 'y', type: 0, shape: [1, 3], signature: [-1, 3] },
  ],
  operators: [{ code: 0, inputs: [0], outputs: [1] }],
  inputs: [0],
  outputs: [1],
  signature: { inputs: [['image', 0]], outputs: [['scores', 1]] },
};

it('has no signature, and its inputs at the sizes that the interpreter allocates', () => {
  const bytes = tinyTflite(model);
  const before = bytes.slice();
  const file = readTflite(interpreterFile(bytes));
  expect(file.signatures).toEqual([]);
  expect(file.inputs).toMatchObject([{ name: 'x', shape: [1, 2, 2, 3], shapeSignature: [] }]);
  expect(file.outputs).toMatchObject([{ name: 'y', shape: [1, 3], shapeSignature: [-1, 3] }]);
  expect(bytes).toEqual(before);
});

it('leaves a file that needs nothing as it is', () => {
  const { signature: _, ...plain } = model;
  const bytes = tinyTflite({ ...plain, tensors: plain.tensors.map(({ signature: _open, ...tensor }) => tensor) });
  expect(interpreterFile(bytes)).toEqual(bytes);
});

it('says the size of what a detection operator gives, in a file that has no place for it', () => {
  const options = { max_detections: { int: 7 }, max_classes_per_detection: { int: 2 } };
  const bytes = tfliteDetections([0.5, 0.5, 1, 1], options);
  const before = bytes.slice();
  const graph = FlatTable.root(interpreterFile(bytes)).tables(2)[0]!;
  const outputs = graph.int32s(2).map((index) => tensorOf(graph.tables(0)[index]!));
  expect(outputs.map(({ name, type, shape }) => [name, type, shape])).toEqual([
    ['location', 'float32', [1, 14, 4]],
    ['category', 'float32', [1, 14]],
    ['score', 'float32', [1, 14]],
    ['count', 'float32', [1]],
  ]);
  expect(bytes).toEqual(before);
});
