import { detectionShapes } from './detection-postprocess.ts';
import { FlatTable } from './flat-table.ts';
import { operatorsOf } from './read-tflite.ts';

/**
 * Copies a .tflite file so that a runtime that goes by signatures shows the interpreter's own tensors: all of the first
 * subgraph, in its order, inputs at the sizes that it allocates. Outputs that an operator sizes when it starts get that
 * size, because such a runtime allocates them before.
 * @param bytes of the file
 * @returns a copy
 * @throws FlatbufferError if the file is damaged
 * @example
 * import { tfliteChannelMeans } from '../../tests/tflite-models.ts';
 * import { readTflite } from './read-tflite.ts';
 * readTflite(interpreterFile(tfliteChannelMeans())).signatures; // => []
 */
export function interpreterFile(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const model = FlatTable.root(bytes);
  const [graph] = model.tables(2);
  const tensors = graph?.tables(0) ?? [];
  const shapes = graph ? [...detectionShapes(graph, operatorsOf(model))] : [];
  const appendedAt = Math.ceil(bytes.length / 4) * 4;
  const copy = new Uint8Array(appendedAt + shapes.reduce((sum, [, { length }]) => sum + 4 + 4 * length, 0));
  copy.set(bytes);
  const view = new DataView(copy.buffer);
  const signatures = model.listAt(7);
  if (signatures > 0) view.setUint32(signatures, 0, true);
  for (const index of graph?.int32s(1) ?? []) closeSizes(view, tensors[index]);
  let at = appendedAt;
  for (const [tensor, shape] of shapes) {
    const offsetAt = tensors[tensor]?.offsetAt(0) ?? 0;
    if (offsetAt === 0) continue; // no place to write it at: TensorFlow's converters always leave one
    view.setUint32(offsetAt, at - offsetAt, true);
    for (const value of [shape.length, ...shape]) {
      view.setUint32(at, value, true);
      at += 4;
    }
  }
  return copy;
}

/** Sizes that the exporter left open are those that the interpreter allocates. */
function closeSizes(view: DataView, tensor: FlatTable | undefined): void {
  const shape = tensor?.int32s(0) ?? [];
  if (tensor === undefined || tensor.int32s(7).length !== shape.length) return;
  shape.forEach((size, axis) => view.setInt32(tensor.listAt(7) + 4 + 4 * axis, size, true));
}
