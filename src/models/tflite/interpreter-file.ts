import { ModelError } from '../../machine/vision/face/errors.ts';
import { detectionFacts } from './detection-postprocess.ts';
import { FlatTable } from './flat-table.ts';
import { operatorsOf } from './read-tflite.ts';
import { writeFlatbuffer } from './write-flatbuffer.ts';

/** That of the lists that are appended. */
const alignment = 16;

/**
 * Copies a .tflite file so that a runtime that goes by signatures shows the interpreter's own tensors: all of the first
 * subgraph, in its order, inputs at the sizes that it allocates. Outputs that an operator sizes when it starts get that
 * size, because such a runtime allocates them before: LiteRT's WebAssembly makes a buffer of the size in the file, and the
 * operator writes past its end.
 * @param bytes of the file
 * @returns a copy
 * @throws FlatbufferError if the file is damaged; ModelError `unsupported-operator` where nothing tells the size of what a custom operator gives
 * @example
 * import { tfliteChannelMeans } from '../../../tests/tflite-models.ts';
 * import { readTflite } from './read-tflite.ts';
 * readTflite(interpreterFile(tfliteChannelMeans())).signatures; // => []
 */
export function interpreterFile(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const model = FlatTable.root(bytes);
  const [graph] = model.tables(2);
  const tensors = graph?.tables(0) ?? [];
  const sized = graph ? sizedTensors(graph, operatorsOf(model)) : [];
  const appendedAt = Math.ceil(bytes.length / alignment) * alignment;
  const copy = new Uint8Array(
    sized.length === 0 ? bytes.length : appendedAt + sized.reduce((sum, { table }) => sum + table.length, 0),
  );
  copy.set(bytes);
  const view = new DataView(copy.buffer);
  const signatures = model.listAt(7);
  if (signatures > 0) view.setUint32(signatures, 0, true);
  for (const index of graph?.int32s(1) ?? []) closeSizes(view, tensors[index]);
  let at = appendedAt;
  for (const { index, table } of sized) {
    copy.set(table, at);
    const entry = graph!.listAt(0) + 4 + 4 * index;
    view.setUint32(entry, at + view.getUint32(at, true) - entry, true);
    at += table.length;
  }
  return copy;
}

/** What custom operators give, with the sizes that they set when they start. */
function sizedTensors(graph: FlatTable, codes: ReturnType<typeof operatorsOf>) {
  const tensors = graph.tables(0);
  const { shapes } = detectionFacts(graph, codes);
  for (const operator of graph.tables(3)) {
    const { name, isCustom } = codes[operator.uint32(0)]!;
    const open = isCustom && operator.int32s(2).find((index) => isOpen(tensors[index]) && !shapes.has(index));
    if (typeof open === 'number')
      throw new ModelError(
        'unsupported-operator',
        `The model's ${name} gives "${tensors[open]!.string(3)}" without a size, and its options do not tell how many boxes that is. Export the model again, with max_detections.`,
      );
  }
  return [...shapes].flatMap(([index, shape]) => {
    const tensor = tensors[index];
    return tensor ? [{ index, table: sizedTensor(tensor, shape) }] : [];
  });
}

function isOpen(tensor: FlatTable | undefined): boolean {
  return tensor !== undefined && (tensor.int32s(0).length === 0 || tensor.int32s(7).includes(-1));
}

/**
 * A tensor with a size, as bytes to append: all offsets lead on from where they stand, so it may stand anywhere. Some
 * converters leave a tensor of open size no place for one. What an operator gives has no other parts that a runtime reads.
 */
function sizedTensor(tensor: FlatTable, shape: readonly number[]): Uint8Array {
  const fields = [{ int32s: shape }, { int8: tensor.int8(1) }, { int32: tensor.uint32(2) }, { text: tensor.string(3) }];
  const table = writeFlatbuffer(fields, '');
  const padded = new Uint8Array(Math.ceil(table.length / alignment) * alignment);
  padded.set(table);
  return padded;
}

/** Sizes that the exporter left open are those that the interpreter allocates. */
function closeSizes(view: DataView, tensor: FlatTable | undefined): void {
  const shape = tensor?.int32s(0) ?? [];
  if (tensor === undefined || tensor.int32s(7).length !== shape.length) return;
  shape.forEach((size, axis) => view.setInt32(tensor.listAt(7) + 4 + 4 * axis, size, true));
}
