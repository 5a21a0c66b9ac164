import { describe, expect, it } from 'vitest';
import { strToU8, zipSync } from 'fflate';
import { tfliteFloatNet, tinyTflite } from '../../../tests/tflite-models.ts';
import { openSession } from '../../platform/node/open-session.ts';
import { TfliteEditor, refusalToEdit } from './edit-model.ts';
import { readTfliteModel } from './read-model.ts';
import { withoutZip } from './without-zip.ts';

/** The source with one operator more. */
function halved(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const editor = new TfliteEditor(source);
  const half = editor.addTensor({ name: 'half', type: 'float32', shape: [1], data: Float32Array.of(0.5) });
  const output = editor.addTensor({ name: 'halves', type: 'float32', shape: [1, 4] });
  editor.addOperator({ name: 'MUL', options: [] }, [editor.outputs[0]!, half], [output], 'behind');
  return editor.write({ inputs: editor.inputs, outputs: [output], metadata: { 'sightglass.added': 'a product' } });
}

async function run(model: Uint8Array<ArrayBuffer>): Promise<number[]> {
  const session = await openSession(model);
  const [{ name, shape }] = session.inputs as [(typeof session.inputs)[number]];
  const data = Float32Array.from({ length: 32 * 32 * 3 }, (_, i) => (i % 7) / 7);
  const outputs = await session.run({ [name]: { dtype: 'float32', shape, data } });
  await session.release();
  return Array.from(Object.values(outputs)[0]!.data, Number);
}

describe('TfliteEditor', () => {
  it('adds an operator behind a network whose numbers stay', async () => {
    const source = tfliteFloatNet();
    const [plain, edited] = [await run(source), await run(halved(source))];
    expect(edited).toEqual(plain.map((value) => value / 2));
  });

  it('keeps the source behind the new lists, where weights keep their alignment', () => {
    const source = tfliteFloatNet();
    const edited = halved(source);
    const start = edited.length - source.length;
    expect(start % 64).toBe(0);
    expect(edited.subarray(start)).toEqual(source);
  });

  it('names tensors of the source and new ones, and says what it was told', () => {
    const editor = new TfliteEditor(tfliteFloatNet());
    const [input] = editor.inputs as [number];
    editor.renameTensor(input, 'image');
    const written = editor.write({ inputs: [input], outputs: editor.outputs, metadata: { 'sightglass.family': 'x' } });
    const { inputs, outputs, metadata } = readTfliteModel(written);
    expect(inputs).toMatchObject([{ name: 'image', dtype: 'float32', shape: [1, 32, 32, 3] }]);
    expect(outputs.map(({ name }) => name)).toEqual(['scores']);
    expect(metadata).toEqual({ 'sightglass.family': 'x' });
  });

  it('leaves out operators that nothing needs, and signatures of the source', () => {
    const picture = { name: 'a', type: 0, shape: [1, 4] };
    const source = tinyTflite({
      tensors: [picture, { ...picture, name: 'b' }, { ...picture, name: 'c' }],
      operators: [
        { code: 14, inputs: [0], outputs: [1] },
        { code: 0, inputs: [0, 0], outputs: [2], options: { type: 11, fields: [{ int8: 0 }] } },
      ],
      inputs: [0],
      outputs: [1, 2],
      signature: { inputs: [['a', 0]], outputs: [['b', 1]] },
    });
    const editor = new TfliteEditor(source);
    const { operators, format } = readTfliteModel(editor.write({ inputs: [0], outputs: [1], metadata: {} }));
    expect(operators).toEqual({ LOGISTIC: 1 });
    expect(format.signatures).toEqual([]);
  });

  it('leaves a packed zip behind, and finds none in weights', () => {
    const source = tfliteFloatNet();
    const zip = zipSync({ 'labels.txt': strToU8('cat\ndog') });
    const packed = new Uint8Array(source.length + zip.length);
    packed.set(source);
    packed.set(zip, source.length);
    // Offsets count from the beginning of the file, as zips say that are appended.
    const view = new DataView(packed.buffer);
    const end = packed.length - 22;
    const directory = view.getUint32(end + 16, true) + source.length;
    view.setUint32(end + 16, directory, true);
    view.setUint32(directory + 42, source.length, true);
    expect(readTfliteModel(packed).labels).toEqual(['cat', 'dog']);
    expect(withoutZip(packed)).toEqual(source);
    expect(withoutZip(source)).toBe(source);
  });

  it('says what it cannot edit', () => {
    expect(refusalToEdit(tfliteFloatNet())).toBeNull();
    const tensors = [{ name: 'a', type: 0, shape: [1] }];
    const state = tinyTflite({
      tensors,
      operators: [{ code: 142, inputs: [], outputs: [0] }],
      inputs: [0],
      outputs: [0],
    });
    expect(refusalToEdit(state)).toMatch('keeps a state');
  });
});
