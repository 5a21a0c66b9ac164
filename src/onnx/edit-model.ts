import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AttributeProto_AttributeType as AttributeType,
  AttributeProtoSchema,
  GraphProtoSchema,
  ModelProtoSchema,
  NodeProtoSchema,
  TensorProtoSchema,
  ValueInfoProtoSchema,
  type AttributeProto,
  type GraphProto,
  type ModelProto,
  type TensorProto,
  type ValueInfoProto,
} from '../gen/onnx_pb.ts';
import type { TensorData, TensorDtype } from '../vision/tensor.ts';
import { onnxType } from './dtypes.ts';
import { graphsOf } from './graph-walk.ts';

/** Decodes a whole model for editing. Weights stay views of `bytes`: do not change those afterwards. */
export function decodeModel(bytes: Uint8Array): ModelProto & { graph: GraphProto } {
  const model = fromBinary(ModelProtoSchema, bytes);
  if (model.graph === undefined) throw new RangeError('The model has no graph.');
  return model as ModelProto & { graph: GraphProto };
}

export function encodeModel(model: ModelProto): Uint8Array<ArrayBuffer> {
  return toBinary(ModelProtoSchema, model) as Uint8Array<ArrayBuffer>;
}

/** A node attribute. The kind is spelled out because ONNX tells 1 from 1.0 and JavaScript does not. */
export type AttributeValue =
  | { readonly int: number }
  | { readonly ints: readonly number[] }
  | { readonly float: number }
  | { readonly string: string };

export type Attributes = Readonly<Record<string, AttributeValue>>;

function attribute(name: string, value: AttributeValue): AttributeProto {
  const fields = (rest: MessageInitShape<typeof AttributeProtoSchema>) =>
    create(AttributeProtoSchema, { name, ...rest });
  if ('int' in value) return fields({ type: AttributeType.INT, i: BigInt(value.int) });
  if ('ints' in value) return fields({ type: AttributeType.INTS, ints: value.ints.map(BigInt) });
  if ('float' in value) return fields({ type: AttributeType.FLOAT, f: value.float });
  return fields({ type: AttributeType.STRING, s: asciiBytes(value.string) });
}

function asciiBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function initializer(name: string, dtype: TensorDtype, shape: readonly number[], data: TensorData): TensorProto {
  const count = shape.reduce((product, size) => product * size, 1);
  if (count !== data.length) {
    throw new RangeError(`Initializer ${name}: ${data.length} values for the shape [${shape.join(', ')}].`);
  }
  // raw_data is little-endian, as are the typed arrays of every platform that runs JavaScript engines.
  const rawData = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return create(TensorProtoSchema, { name, dims: shape.map(BigInt), dataType: onnxType(dtype), rawData });
}

/** Declares a tensor at the model's boundary. A size given as text is symbolic, i.e. dynamic. */
function valueInfo(name: string, dtype: TensorDtype, shape: readonly (number | string)[]): ValueInfoProto {
  const dim = shape.map((size) => ({
    value:
      typeof size === 'number'
        ? { case: 'dimValue' as const, value: BigInt(size) }
        : { case: 'dimParam' as const, value: size },
  }));
  const type = { value: { case: 'tensorType' as const, value: { elemType: onnxType(dtype), shape: { dim } } } };
  return create(ValueInfoProtoSchema, { name, type });
}

export interface ModelHeader {
  readonly graphName: string;
  readonly producer: string;
  /** version of the default operator set */
  readonly opset: number;
  readonly metadata?: Readonly<Record<string, string>>;
  /** further operator sets by domain */
  readonly domains?: Readonly<Record<string, number>>;
}

/**
 * Writes a graph node by node. `add` and the constants return the name of the tensor that they make, so that a graph
 * reads as the formula it computes. Start from an existing graph to extend it.
 */
export class GraphBuilder {
  readonly #graph: GraphProto;
  #names = 0;

  constructor(graph: GraphProto = create(GraphProtoSchema)) {
    this.#graph = graph;
  }

  input(name: string, dtype: TensorDtype, shape: readonly (number | string)[]): string {
    this.#graph.input.push(valueInfo(name, dtype, shape));
    return name;
  }

  /** Names `tensor` as an output of the model. */
  output(name: string, tensor: string, dtype: TensorDtype, shape: readonly (number | string)[]): void {
    this.#node('Identity', [tensor], [name], {}, '');
    this.#graph.output.push(valueInfo(name, dtype, shape));
  }

  floats(shape: readonly number[], values: ArrayLike<number>): string {
    return this.constant('float32', shape, Float32Array.from(values));
  }

  /** int64, the type of sizes and indices in ONNX. */
  ints(shape: readonly number[], values: readonly number[]): string {
    return this.constant('int64', shape, BigInt64Array.from(values, BigInt));
  }

  constant(dtype: TensorDtype, shape: readonly number[], data: TensorData): string {
    const name = this.#freshName('constant');
    this.#graph.initializer.push(initializer(name, dtype, shape, data));
    return name;
  }

  /** Adds a node with one output and returns that output's name. '' stands for an optional input left out. */
  add(opType: string, inputs: readonly string[], attributes: Attributes = {}, domain = ''): string {
    const output = this.#freshName(opType.toLowerCase());
    this.#node(opType, inputs, [output], attributes, domain);
    return output;
  }

  build(header: ModelHeader): Uint8Array<ArrayBuffer> {
    const domains = { '': header.opset, ...header.domains };
    this.#graph.name = header.graphName;
    return encodeModel(
      create(ModelProtoSchema, {
        // Opset 18 came with IR version 8; runtimes refuse an IR that is newer than they are, not an older one.
        irVersion: 8n,
        producerName: header.producer,
        opsetImport: Object.entries(domains).map(([domain, version]) => ({ domain, version: BigInt(version) })),
        metadataProps: Object.entries(header.metadata ?? {}).map(([key, value]) => ({ key, value })),
        graph: this.#graph,
      }),
    );
  }

  #node(
    opType: string,
    input: readonly string[],
    output: readonly string[],
    attributes: Attributes,
    domain: string,
  ): void {
    const list = Object.entries(attributes).map(([name, value]) => attribute(name, value));
    this.#graph.node.push(
      create(NodeProtoSchema, { opType, domain, input: [...input], output: [...output], attribute: list }),
    );
  }

  #freshName(stem: string): string {
    this.#names += 1;
    return `sightglass/${stem}_${this.#names}`;
  }
}

/** Renames a tensor wherever the graph's own nodes and boundary use it (subgraphs are not searched). */
export function renameTensor(graph: GraphProto, from: string, to: string): void {
  const rename = (name: string) => (name === from ? to : name);
  for (const node of graph.node) {
    node.input = node.input.map(rename);
    node.output = node.output.map(rename);
  }
  for (const named of [...graph.input, ...graph.output, ...graph.initializer, ...graph.valueInfo]) {
    named.name = rename(named.name);
  }
}

/** Removes initializers that no node reads: runtimes warn about each of them. Returns how many went. */
export function dropUnusedInitializers(graph: GraphProto): number {
  const read = new Set([
    ...graphsOf(graph).flatMap(({ node }) => node.flatMap(({ input }) => input)),
    ...graph.output.map(({ name }) => name),
  ]);
  const before = graph.initializer.length;
  graph.initializer = graph.initializer.filter(({ name }) => read.has(name));
  return before - graph.initializer.length;
}
