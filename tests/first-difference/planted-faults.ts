import { create } from '@bufbuild/protobuf';
import {
  TypeProtoSchema,
  ValueInfoProtoSchema,
  type GraphProto,
  type ModelProto,
  type NodeProto,
} from '../../src/gen/onnx_pb.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import { decodeModel, GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { encodeModel } from '../../src/models/onnx/encode-model.ts';

/** What a broken kernel does. */
export type Fault = 'offset' | 'zeros' | 'swapped' | 'overflow' | 'stale' | 'joined' | 'beside';
export const faults: readonly Fault[] = ['offset', 'zeros', 'swapped', 'overflow', 'stale'];

type Open = (model: Uint8Array<ArrayBuffer>) => Promise<InferenceSession>;

/**
 * A runtime in which the node of one name is broken, in whichever model it comes: whole, looked at, or cut out. It runs `open`'s kernels, of a
 * model in which that node's first result is changed.
 */
export function brokenRuntime(open: Open, fault: Fault, nodeName: string): Open {
  return async (bytes) => {
    const model = decodeModel(bytes);
    const { graph } = model;
    const place = graph.node.findIndex(({ name }) => name === nodeName);
    if (place === -1) return open(bytes);
    const node = graph.node[place]!;
    const result = node.output[0]!;
    const isOutput = graph.output.some(({ name }) => name === result);
    // A kernel that joins a node with its reader is not used where the result between them is asked for.
    if (fault === 'joined' && isOutput) return open(bytes);
    // A kernel for another layout, which is chosen where the node before it gives that layout.
    if (fault === 'beside' && !graph.node.some(({ output }) => output.includes(node.input[0]!))) return open(bytes);
    if (fault === 'stale') return staleSession(open, bytes, model, result);
    if (fault === 'swapped') node.input = [node.input[1]!, node.input[0]!, ...node.input.slice(2)];
    else insert(graph, place, node, result, fault);
    return open(encodeModel(model));
  };
}

function insert(graph: GraphProto, place: number, node: NodeProto, result: string, fault: Fault): void {
  const right = `${result}/right`;
  const rest = graph.node.splice(place + 1);
  node.output = node.output.map((name) => (name === result ? right : name));
  const build = new GraphBuilder(graph);
  const last = {
    zeros: () => build.add('Mul', [right, build.floats([], [0])]),
    offset: () => build.add('Add', [right, build.floats([], [1e-2])]),
    beside: () => build.add('Add', [right, build.floats([], [1e-2])]),
    joined: () => build.add('Add', [right, build.floats([], [1e-2])]),
    overflow: () => {
      const fits = build.add('Less', [build.add('Abs', [right]), build.floats([], [65520])]);
      return build.add('Mul', [right, build.add('Where', [fits, build.floats([], [1]), build.floats([], [Infinity])])]);
    },
  }[fault as 'zeros' | 'offset' | 'joined' | 'beside' | 'overflow']();
  graph.node.at(-1)!.output = [result];
  if (last !== result) graph.node.push(...rest);
}

/** The node's buffer is never written again: each run after the first goes on with what it held before. */
async function staleSession(
  open: Open,
  bytes: Uint8Array<ArrayBuffer>,
  model: ModelProto & { graph: GraphProto },
  result: string,
): Promise<InferenceSession> {
  const { graph } = model;
  const isOutput = graph.output.some(({ name }) => name === result);
  const tensorType = { case: 'tensorType' as const, value: { elemType: 1 } };
  const output = isOutput ? graph.output : [...graph.output, create(ValueInfoProtoSchema, { name: result })];
  const plain = await open(encodeModel({ ...model, graph: { ...graph, output } }));
  const stale = decodeModel(bytes);
  for (const node of stale.graph.node)
    node.output = node.output.map((name) => (name === result ? `${name}/right` : name));
  const fed = create(ValueInfoProtoSchema, {
    name: `${result}/left`,
    type: create(TypeProtoSchema, { value: tensorType }),
  });
  stale.graph.input.push(fed);
  stale.graph.node.unshift(...identity(`${result}/left`, result));
  const broken = await open(encodeModel(stale));
  let held: Tensor | null = null;
  return {
    inputs: plain.inputs,
    outputs: plain.outputs.filter(({ name }) => isOutput || name !== result),
    async run(feeds) {
      const right = await plain.run(feeds);
      const before = held;
      held = { ...right[result]!, data: right[result]!.data.slice() };
      const { [result]: _, ...others } = right;
      if (before === null) return isOutput ? right : others;
      return broken.run({ ...feeds, [`${result}/left`]: before });
    },
    async release() {
      await plain.release();
      await broken.release();
    },
  };
}

function identity(from: string, to: string): NodeProto[] {
  const build = new GraphBuilder();
  build.output(to, from, 'float32', []);
  return decodeModel(build.build({ graphName: 'identity', producer: '', opset: 18 })).graph.node;
}
