import {
  AttributeProto_AttributeType as AttributeType,
  type AttributeProto,
  type GraphProto,
  type NodeProto,
  type TensorProto,
  type ValueInfoProto,
} from '../../gen/onnx_pb.ts';
import type { GraphOperator, GraphTensor, ModelGraph } from '../../machine/vision/face/inference.ts';
import { dtypeOf } from './dtypes.ts';
import { madeName } from './edit-model.ts';
import { operatorName, readBy } from './graph-walk.ts';
import { decodeDescription } from './read-model.ts';

/** Most values of a constant that are shown; for longer ones only the shape is. */
const mostValues = 8;
const mostNumbers = 16;

/**
 * Reads a model file's graph. Weights are not read.
 * @param bytes of the file
 * @param fileName for the words about a file that is not a model
 * @returns operators and tensors
 * @throws ModelError `not-onnx`
 * @example
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * readGraph(channelMeansClassifier()).operators.map(({ operator }) => operator); // => ['Cast', 'ReduceMean', 'Identity']
 */
export function readGraph(bytes: Uint8Array, fileName?: string): ModelGraph {
  const { graph } = decodeDescription(bytes, fileName);
  const constants = new Map([...graph.initializer.map(constantOf), ...graph.node.flatMap(constantOfNode)]);
  const declared = [...graph.valueInfo, ...graph.input, ...graph.output].map(declaredTensor);
  return {
    inputs: graph.input.map(({ name }) => name).filter((name) => !constants.has(name)),
    outputs: graph.output.map(({ name }) => name),
    operators: graph.node.filter((node) => !isConstant(node)).map(operatorOf),
    tensors: new Map([...declared, ...constants]),
  };
}

function operatorOf(node: NodeProto): GraphOperator {
  return {
    operator: operatorName(node.domain, node.opType),
    name: node.name,
    inputs: readBy(node).filter((name) => name !== ''),
    outputs: node.output.filter((name) => name !== ''),
    attributes: node.attribute.map((attribute) => [attribute.name, attributeWords(attribute)]),
    isAdded: node.name.startsWith(madeName),
  };
}

function isConstant({ opType, domain, output }: NodeProto): boolean {
  return opType === 'Constant' && domain === '' && output.length === 1;
}

function constantOfNode(node: NodeProto): [string, GraphTensor][] {
  if (!isConstant(node)) return [];
  const [attribute] = node.attribute;
  if (attribute?.t) return [[node.output[0]!, constantOf(attribute.t)[1]]];
  return [[node.output[0]!, { dtype: '', shape: null, constant: attribute ? attributeWords(attribute) : '' }]];
}

function constantOf(tensor: TensorProto): [string, GraphTensor] {
  const dtype = dtypeOf(tensor.dataType) ?? '';
  return [tensor.name, { dtype, shape: tensor.dims.map(Number), constant: valuesOf(tensor, dtype) }];
}

/** raw_data is little-endian and need not be aligned. */
const readers: Readonly<Record<string, (view: DataView, at: number) => number | bigint>> = {
  float32: (view, at) => view.getFloat32(4 * at, true),
  int32: (view, at) => view.getInt32(4 * at, true),
  int64: (view, at) => view.getBigInt64(8 * at, true),
};

function valuesOf({ dims, rawData }: TensorProto, dtype: string): string {
  const count = dims.reduce((product, size) => product * Number(size), 1);
  const read = readers[dtype];
  if (!read || count > mostValues || rawData.length !== count * (dtype === 'int64' ? 8 : 4)) return '';
  const view = new DataView(rawData.buffer, rawData.byteOffset, rawData.byteLength);
  return listText(Array.from({ length: count }, (_, at) => read(view, at)));
}

function declaredTensor({ name, type }: ValueInfoProto): [string, GraphTensor] {
  const tensor = type?.value.case === 'tensorType' ? type.value.value : undefined;
  const shape =
    tensor?.shape?.dim.map(({ value }) => {
      if (value.case === 'dimValue' && value.value > 0n) return Number(value.value);
      return (value.case === 'dimParam' && value.value) || '?';
    }) ?? null;
  return [name, { dtype: (tensor && dtypeOf(tensor.elemType)) ?? '', shape, constant: null }];
}

function attributeWords({ type, i, f, s, t, g, ints, floats, strings, graphs }: AttributeProto): string {
  const text = (value: Uint8Array) => [...value].map((byte) => String.fromCharCode(byte)).join('');
  switch (type) {
    case AttributeType.INT:
      return String(i);
    case AttributeType.FLOAT:
      return listText([f ?? 0]);
    case AttributeType.STRING:
      return `"${text(s)}"`;
    case AttributeType.INTS:
      return `[${listText(ints)}]`;
    case AttributeType.FLOATS:
      return `[${listText(floats)}]`;
    case AttributeType.STRINGS:
      return `[${strings.map((value) => `"${text(value)}"`).join(', ')}]`;
    case AttributeType.TENSOR:
      return `a tensor [${t?.dims.join(', ') ?? ''}]`;
    case AttributeType.GRAPH:
      return graphWords(g);
    case AttributeType.GRAPHS:
      return graphs.map(graphWords).join(', ');
    default:
      return 'of a type that is not shown';
  }
}

function graphWords(graph: GraphProto | undefined): string {
  return `a graph of ${graph?.node.length ?? 0} operators`;
}

function listText(values: readonly (number | bigint)[]): string {
  const shown = values.slice(0, mostNumbers);
  const words = shown.map((value) =>
    typeof value === 'bigint' ? String(value) : String(Number(value.toPrecision(7))),
  );
  return words.join(', ') + (values.length > shown.length ? ', …' : '');
}
