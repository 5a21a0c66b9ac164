import { clone, create } from '@bufbuild/protobuf';
import {
  GraphProtoSchema,
  NodeProtoSchema,
  ValueInfoProtoSchema,
  type GraphProto,
  type NodeProto,
} from '../../gen/onnx_pb.ts';
import { encodeModel, GraphBuilder, renameTensor } from '../onnx/face/model-files.ts';
import { definedIn, readBy, subgraphsOf } from '../onnx/face/graphs.ts';
import type { Tensors } from './first-difference.ts';
import type { SideGraph } from './side-graph.ts';

/** Part of a network: from these outputs back to what is fed. */
export interface Part {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** Behind the names of results that are also fed to another part. */
export const again = '/again';

/**
 * Cuts parts out of a model, side by side in one file. Each is fed the tensors that it starts from, so that no part sees what
 * another one gives: a run of that file tries each alone. Of several parts the results are called `name/again`.
 * @param feeds values of all inputs of the parts, which give the types; others are left out
 */
export function partModel(side: SideGraph, parts: readonly Part[], feeds: Tensors): Uint8Array<ArrayBuffer> {
  const { graph: whole } = side.model;
  const isOne = parts.length === 1;
  const nodes: NodeProto[] = [];
  const outputs: string[] = [];
  const read = new Set<string>();
  const nodeNames = new Set<string>();
  const kept = new Set<number>();
  for (const [k, { inputs, outputs: wanted }] of parts.entries()) {
    const { places } = side.between(wanted, new Set(inputs));
    const made = new Set(places.flatMap((place) => whole.node[place]!.output));
    const rename = (name: string): string => {
      if (isOne || name === '' || side.constant.has(name) || !made.has(name)) return name;
      return wanted.includes(name) ? name + again : `${name}${again}${k}`;
    };
    for (const place of places) {
      const node = whole.node[place]!;
      const isConstant = node.output.every((name) => side.constant.has(name));
      if (isConstant && kept.has(place)) continue;
      kept.add(place);
      const copy = renamed(node, (name) => (inputs.includes(name) ? name : rename(name)), rename);
      // Runtimes refuse two nodes of one name; the first keeps it, which is what a report names.
      if (copy.name !== '' && nodeNames.has(copy.name)) copy.name += `${again}${k}`;
      nodeNames.add(copy.name);
      nodes.push(copy);
      for (const name of readBy(copy)) read.add(name);
    }
    outputs.push(...wanted.map(rename));
  }
  const initializer = whole.initializer.filter(({ name }) => read.has(name) && !(name in feeds));
  const graph: GraphProto = create(GraphProtoSchema, { name: `${whole.name || 'model'}-part` });
  graph.node = nodes;
  graph.initializer = initializer;
  const build = new GraphBuilder(graph);
  for (const [name, { dtype, shape }] of Object.entries(feeds)) if (read.has(name)) build.input(name, dtype, shape);
  graph.output = outputs.map((name) => create(ValueInfoProtoSchema, { name }));
  return encodeModel({ ...side.model, metadataProps: [], graph });
}

function renamed(node: NodeProto, input: (name: string) => string, output: (name: string) => string): NodeProto {
  const inner = subgraphsOf(node).length > 0;
  const copy = inner ? clone(NodeProtoSchema, node) : { ...node };
  copy.input = node.input.map(input);
  copy.output = node.output.map(output);
  for (const graph of inner ? subgraphsOf(copy) : []) {
    const own = definedIn(graph);
    for (const name of new Set(readBy(node)))
      if (input(name) !== name && !own.has(name)) renameTensor(graph, name, input(name));
  }
  return copy;
}
