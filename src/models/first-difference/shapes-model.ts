import { create } from '@bufbuild/protobuf';
import { NodeProtoSchema, ValueInfoProtoSchema } from '../../gen/onnx_pb.ts';
import { encodeModel } from '../onnx/face/model-files.ts';
import type { Tensors } from './first-difference.ts';
import type { SideGraph } from './side-graph.ts';

const suffix = '/shape-of';

/**
 * Makes a model that gives the shapes of tensors in one run, whatever their size: files leave most of them open, and what a
 * run may look at is chosen by them.
 */
export function shapesModel({ model }: SideGraph, names: readonly string[]): Uint8Array<ArrayBuffer> {
  const { graph } = model;
  const shapes = names.map((name) =>
    create(NodeProtoSchema, { opType: 'Shape', input: [name], output: [name + suffix] }),
  );
  const output = names.map((name) => create(ValueInfoProtoSchema, { name: name + suffix }));
  return encodeModel({ ...model, graph: { ...graph, node: [...graph.node, ...shapes], output } });
}

export function shapesOf(results: Tensors): Map<string, readonly number[]> {
  return new Map(
    Object.entries(results).map(([name, { data }]) => [
      name.slice(0, -suffix.length),
      Array.from(data as BigInt64Array, Number),
    ]),
  );
}
