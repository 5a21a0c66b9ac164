import { detectionShapes } from './detection-postprocess.ts';
import { FlatTable } from './flat-table.ts';
import { operatorsOf } from './read-tflite.ts';

/**
 * A copy of a .tflite file of which a runtime that goes by signatures shows the interpreter's own tensors: in the order of
 * the first subgraph, all of them, inputs at the sizes that it allocates. Outputs that an operator sizes when it starts get that size, as such a runtime makes
 * room for them before. @throws FlatbufferError
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
