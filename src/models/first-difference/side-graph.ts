import { create } from '@bufbuild/protobuf';
import { ValueInfoProtoSchema, type GraphProto, type ModelProto, type NodeProto } from '../../gen/onnx_pb.ts';
import { decodeModel, dtypeOf, encodeModel } from '../onnx/face/model-files.ts';
import { graphConstants, operatorName, readBy } from '../onnx/face/graphs.ts';
import { type Tensor, tensorArrays } from '../../machine/vision/face/feeding.ts';
import type { NodeFacts } from './first-difference.ts';

/** Operators whose results are no tensors, and can be no output that is compared. */
const untensored = new Set([
  'SequenceConstruct',
  'SequenceEmpty',
  'SequenceInsert',
  'SequenceErase',
  'SplitToSequence',
  'Optional',
  'SequenceMap',
  'ai.onnx.ml.ZipMap',
]);

/** A model as a graph of tensors: who makes which, and which are the same in every run. */
export class SideGraph {
  readonly model: ModelProto & { graph: GraphProto };
  /** by tensor, the place of the node that makes it */
  readonly makerOf: ReadonlyMap<string, number>;
  /** names of what is fed */
  readonly fed: ReadonlySet<string>;
  /** tensors that depend on nothing that is fed */
  readonly constant: ReadonlySet<string>;
  readonly #values: ReturnType<typeof graphConstants>;

  /** @throws RangeError, Error if the bytes are no ONNX model */
  constructor(model: Uint8Array | (ModelProto & { graph: GraphProto })) {
    this.model = model instanceof Uint8Array ? decodeModel(model) : model;
    const { graph } = this.model;
    this.makerOf = new Map(graph.node.flatMap(({ output }, place) => output.map((name) => [name, place] as const)));
    this.#values = graphConstants(graph);
    const weights = new Set(graph.initializer.map(({ name }) => name));
    this.fed = new Set(graph.input.map(({ name }) => name).filter((name) => !weights.has(name)));
    const constant = new Set(['', ...weights]);
    for (const node of graph.node) {
      if (/^(Random|Bernoulli|Multinomial)/.test(node.opType)) continue;
      if (readBy(node).every((name) => constant.has(name))) for (const name of node.output) constant.add(name);
    }
    this.constant = constant;
  }

  get nodes(): readonly NodeProto[] {
    return this.model.graph.node;
  }

  get results(): string[] {
    return this.model.graph.output.map(({ name }) => name);
  }

  /** Tensors between input and output that can be compared, in the order of the nodes. */
  varying(): string[] {
    const made = this.nodes.filter((node) => !untensored.has(operatorName(node.domain, node.opType)));
    return made.flatMap(({ output }) => output).filter((name) => name !== '' && !this.constant.has(name));
  }

  /**
   * Walks back from some tensors to others.
   * @returns the places of the nodes between, in order, and which of `stops` and of what is fed they read
   */
  between(
    outputs: readonly string[],
    stops: ReadonlySet<string>,
  ): { readonly places: number[]; readonly reads: string[] } {
    const places = new Set<number>();
    const reads = new Set<string>();
    const pending = outputs.map((name) => this.makerOf.get(name)).filter((place) => place !== undefined);
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (places.has(place)) continue;
      places.add(place);
      for (const name of readBy(this.nodes[place]!)) {
        if (stops.has(name) || this.fed.has(name)) reads.add(name);
        else if (this.makerOf.has(name)) pending.push(this.makerOf.get(name)!);
      }
    }
    return { places: [...places].sort((a, b) => a - b), reads: [...reads] };
  }

  /** The value of a weight; null where it is none, or of a type or place that is not read here. */
  weight(name: string): Tensor | null {
    const held = this.#values.get(name);
    const dtype = held && dtypeOf(held.dataType);
    if (!held || dtype === undefined || dtype === 'string') return null;
    const shape = held.dims.map(Number);
    if (held.rawData.length === 0) return null;
    const Type = tensorArrays[dtype];
    const bytes = held.rawData.slice();
    return { dtype, shape, data: new Type(bytes.buffer, 0, bytes.length / Type.BYTES_PER_ELEMENT) };
  }

  facts(place: number): NodeFacts {
    const { name, domain, opType, input, output } = this.nodes[place]!;
    return { name, opType: operatorName(domain, opType), place, inputs: input, outputs: output };
  }

  /** The model with some of its tensors as further outputs. The runtime finds their types itself. */
  lookedAt(names: Iterable<string>): Uint8Array<ArrayBuffer> {
    const { graph } = this.model;
    const there = new Set(this.results);
    const added = [...names].filter((name) => !there.has(name));
    const output = [...graph.output, ...added.map((name) => create(ValueInfoProtoSchema, { name }))];
    return encodeModel({ ...this.model, graph: { ...graph, output } });
  }
}
