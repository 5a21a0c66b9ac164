import { create, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
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
} from '../../gen/onnx_pb.ts';
import type { TensorData, TensorDtype } from '../../machine/vision/face/feeding.ts';
import { onnxType } from './dtypes.ts';
import { encodeModel } from './encode-model.ts';
import { definedIn, graphsOf, subgraphsOf, tensorNames } from './graph-walk.ts';

/**
 * Decodes a whole model for editing.
 * @param bytes of a .onnx file; weights stay views of them, so do not change them afterwards
 * @returns the model as a Protocol Buffers message
 * @throws RangeError if it has no graph, and Error if the bytes are not such a message
 * @example
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * decodeModel(channelMeansClassifier()).graph.node.map(({ opType }) => opType); // => ['Cast', 'ReduceMean', 'Identity']
 */
export function decodeModel(bytes: Uint8Array): ModelProto & { graph: GraphProto } {
  const model = fromBinary(ModelProtoSchema, bytes);
  if (model.graph === undefined) throw new RangeError('The model has no graph.');
  return model as ModelProto & { graph: GraphProto };
}

/** Prefix of the names of all tensors that a `GraphBuilder` makes, and of all nodes that it adds to an existing graph. */
export const madeName = 'sightglass/';

/** A node attribute. The kind is spelled out because ONNX tells 1 from 1.0 and JavaScript does not. */
export type AttributeValue =
  | { readonly int: number }
  | { readonly ints: readonly number[] }
  | { readonly float: number }
  | { readonly string: string }
  | { readonly tensor: TensorProto };

export type NodeAttributes = Readonly<Record<string, AttributeValue>>;

function attribute(name: string, value: AttributeValue): AttributeProto {
  const fields = (rest: MessageInitShape<typeof AttributeProtoSchema>) =>
    create(AttributeProtoSchema, { name, ...rest });
  if ('int' in value) return fields({ type: AttributeType.INT, i: BigInt(value.int) });
  if ('ints' in value) return fields({ type: AttributeType.INTS, ints: value.ints.map(BigInt) });
  if ('float' in value) return fields({ type: AttributeType.FLOAT, f: value.float });
  if ('tensor' in value) return fields({ type: AttributeType.TENSOR, t: value.tensor });
  return fields({ type: AttributeType.STRING, s: asciiBytes(value.string) });
}

/** Names and values of attributes, which are ASCII. */
export function asciiBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * A tensor with its values in the file; they stay a view of `data`.
 * @param name in the graph
 * @param dtype of the values
 * @param shape whose product is the number of values
 * @param data the values
 * @returns the message of ONNX
 * @throws RangeError if shape and values do not fit
 * @example
 * tensorProto('mean', 'float32', [2], Float32Array.of(0.5, 1)).rawData.length; // => 8
 */
export function tensorProto(name: string, dtype: TensorDtype, shape: readonly number[], data: TensorData): TensorProto {
  const count = shape.reduce((product, size) => product * size, 1);
  if (count !== data.length) {
    throw new RangeError(`Tensor ${name}: ${data.length} values for the shape [${shape.join(', ')}].`);
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

/** Operators change their form from one operator set to the next, and constants from IR version 4 on. */
export interface GraphVersions {
  readonly opset: number;
  readonly irVersion: number;
}

/** What a formula is written with: `add` and the constants return the name of the tensor that they make. */
export interface GraphWriter {
  readonly versions: GraphVersions;
  /** Adds a node with one output. '' stands for an optional input left out. */
  add(opType: string, inputs: readonly string[], attributes?: NodeAttributes): string;
  /** Adds a node with several outputs. */
  addMany(opType: string, inputs: readonly string[], count: number, attributes?: NodeAttributes): string[];
  floats(shape: readonly number[], values: ArrayLike<number>): string;
  /** int64, the type of sizes and indices in ONNX */
  ints(shape: readonly number[], values: readonly number[]): string;
}

/**
 * Writes a graph node by node. `add` and the constants return the name of the tensor that they make, so that a graph
 * reads as the formula it computes. Start from an existing graph to extend it, in that model's versions.
 */
export class GraphBuilder implements GraphWriter {
  readonly versions: GraphVersions;
  readonly #graph: GraphProto;
  readonly #isExtending: boolean;
  readonly #taken: ReadonlySet<string>;
  readonly #nodeNames: Set<string>;
  #names = 0;

  constructor(graph?: GraphProto, versions: GraphVersions = { opset: 18, irVersion: 8 }) {
    this.#graph = graph ?? create(GraphProtoSchema);
    this.#isExtending = graph !== undefined;
    this.#taken = tensorNames(this.#graph);
    this.#nodeNames = new Set(this.#graph.node.map(({ name }) => name));
    this.versions = versions;
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
    const name = this.freshName('constant');
    const tensor = tensorProto(name, dtype, shape, data);
    // Before IR version 4 an initializer had to be an input of the graph, which callers could fill.
    if (this.versions.irVersion < 4) this.#node('Constant', [], [name], { value: { tensor } }, '');
    else this.#graph.initializer.push(tensor);
    return name;
  }

  /** Adds a node with one output and returns that output's name. '' stands for an optional input left out. */
  add(opType: string, inputs: readonly string[], attributes: NodeAttributes = {}, domain = ''): string {
    return this.addMany(opType, inputs, 1, attributes, domain)[0]!;
  }

  /** Adds a node with several outputs and returns their names. */
  addMany(
    opType: string,
    inputs: readonly string[],
    count: number,
    attributes: NodeAttributes = {},
    domain = '',
  ): string[] {
    const outputs = Array.from({ length: count }, () => this.freshName(opType.toLowerCase()));
    this.#node(opType, inputs, outputs, attributes, domain);
    return outputs;
  }

  build(header: ModelHeader): Uint8Array<ArrayBuffer> {
    const domains = { '': header.opset, ...header.domains };
    this.#graph.name = header.graphName;
    return encodeModel(
      create(ModelProtoSchema, {
        // Opset 18 came with IR version 8; runtimes refuse an IR that is newer than they are, not an older one.
        irVersion: BigInt(this.versions.irVersion),
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
    attributes: NodeAttributes,
    domain: string,
  ): void {
    const list = Object.entries(attributes).map(([key, value]) => attribute(key, value));
    const name = this.#isExtending ? this.#nodeName(output[0]!) : '';
    this.#graph.node.push(
      create(NodeProtoSchema, { name, opType, domain, input: [...input], output: [...output], attribute: list }),
    );
  }

  /** Names of nodes are as unique as those of the tensors that they make, save in a graph that was extended before. */
  #nodeName(output: string): string {
    let name = madeName + output.replace(madeName, '');
    while (this.#nodeNames.has(name)) name += '_again';
    this.#nodeNames.add(name);
    return name;
  }

  /** A name that no tensor of the graph has, nor will. */
  freshName(stem: string): string {
    let name: string;
    do {
      this.#names += 1;
      name = `${madeName}${stem}_${this.#names}`;
    } while (this.#taken.has(name));
    return name;
  }
}

/**
 * Renames a tensor wherever the graph and the subgraphs that see it use it.
 * @param graph is changed
 * @param from name of the tensor
 * @param to its new name, which no other tensor may have
 * @example
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * const { graph } = decodeModel(channelMeansClassifier());
 * renameTensor(graph, 'probability', 'means');
 * graph.output.map(({ name }) => name); // => ['means']
 */
export function renameTensor(graph: GraphProto, from: string, to: string): void {
  const rename = (name: string) => (name === from ? to : name);
  for (const node of graph.node) {
    node.input = node.input.map(rename);
    node.output = node.output.map(rename);
    // A subgraph that makes a tensor of this name means its own.
    for (const inner of subgraphsOf(node)) if (!definedIn(inner).has(from)) renameTensor(inner, from, to);
  }
  for (const named of [...graph.input, ...graph.output, ...graph.initializer, ...graph.valueInfo]) {
    named.name = rename(named.name);
  }
}

/** Removes initializers that no node reads: runtimes warn about each of them. Returns how many went. */
export function dropUnusedInitializers(graph: GraphProto): number {
  const read = new Set([
    ...graphsOf(graph).flatMap(({ node }) => node.flatMap(({ input }) => input)),
    ...graphsOf(graph).flatMap(({ output }) => output.map(({ name }) => name)),
  ]);
  const before = graph.initializer.length;
  graph.initializer = graph.initializer.filter(({ name }) => read.has(name));
  return before - graph.initializer.length;
}
