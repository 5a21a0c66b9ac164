import { create } from '@bufbuild/protobuf';
import {
  AttributeProto_AttributeType as AttributeType,
  AttributeProtoSchema,
  NodeProtoSchema,
  TensorProto_DataType as OnnxType,
  type GraphProto,
  type NodeProto,
} from '../../gen/onnx_pb.ts';
import { asciiBytes } from './edit-model.ts';
import { elementTypes } from './element-types.ts';
import { freeName, graphsOf, tensorNames } from './graph-walk.ts';

/** What ONNX Runtime 1.23.2 refuses of GridSample, which decoders of queries take the picture's features with. */
export interface RefusedGrids {
  /** modes that the operator set calls otherwise, each once */
  readonly modes: readonly string[];
  /** how many have places of another type than the numbers that are taken there: float64 beside float32 */
  readonly mixed: number;
}

/** The same modes before opset 20, and since. */
const modeNames: readonly (readonly [before: string, since: string])[] = [
  ['bilinear', 'linear'],
  ['bicubic', 'cubic'],
];
const renamedIn = 20;

/**
 * Finds what ONNX Runtime refuses of a graph's GridSample nodes.
 * @param graph of a model
 * @param opset of ONNX's own operators
 * @returns the modes and how many have places of another type
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * refusedGrids(decodeModel(channelMeansClassifier()).graph, 17); // => { modes: [], mixed: 0 }
 */
export function refusedGrids(graph: GraphProto, opset: number): RefusedGrids {
  const modes = gridNodes(graph).filter((node) => otherName(node, opset) !== null);
  return { modes: [...new Set(modes.map(modeOf))], mixed: mixedNodes(graph).length };
}

/**
 * Gives modes the names of the operator set, and places the type of the numbers that are taken there.
 * @param graph is changed
 * @param opset of ONNX's own operators
 * @returns how many nodes were changed
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * mendGrids(decodeModel(channelMeansClassifier()).graph, 17); // => 0
 */
export function mendGrids(graph: GraphProto, opset: number): number {
  const changed = new Set<NodeProto>();
  for (const node of gridNodes(graph)) {
    const name = otherName(node, opset);
    if (name === null) continue;
    node.attribute.find(isMode)!.s = asciiBytes(name);
    changed.add(node);
  }
  const taken = tensorNames(graph);
  for (const { node, wanted } of mixedNodes(graph)) {
    const name = freeName(`sightglass/places_${node.output[0]}`, taken);
    graph.node.splice(graph.node.indexOf(node), 0, cast(node.input[1]!, name, wanted));
    node.input[1] = name;
    changed.add(node);
  }
  return changed.size;
}

function gridNodes(graph: GraphProto): NodeProto[] {
  return graphsOf(graph)
    .flatMap(({ node }) => node)
    .filter(isGrid);
}

function isGrid({ opType, domain }: NodeProto): boolean {
  return opType === 'GridSample' && (domain === '' || domain === 'ai.onnx');
}

const isMode = ({ name }: NodeProto['attribute'][number]): boolean => name === 'mode';

/** '' where the node leaves it to the operator set. */
function modeOf({ attribute }: NodeProto): string {
  return String.fromCharCode(...(attribute.find(isMode)?.s ?? []));
}

/** What this operator set calls the mode of a node; null: what the node calls it. */
function otherName(node: NodeProto, opset: number): string | null {
  const mode = modeOf(node);
  const names = modeNames.find((pair) => pair.includes(mode));
  const known = names?.[opset < renamedIn ? 0 : 1] ?? mode;
  return known === mode ? null : known;
}

/** Nodes of the graph itself whose places have a type for which the runtime has no GridSample, and the type that they need. */
function mixedNodes(graph: GraphProto): readonly { readonly node: NodeProto; readonly wanted: number }[] {
  const nodes = graph.node.filter(isGrid);
  if (nodes.length === 0) return [];
  const types = elementTypes(graph);
  return nodes.flatMap((node) => {
    const [numbers, places] = node.input.map((name) => types.get(name));
    if (numbers === undefined || places === undefined) return [];
    return (numbers === OnnxType.DOUBLE) === (places === OnnxType.DOUBLE) ? [] : [{ node, wanted: numbers }];
  });
}

function cast(from: string, to: string, type: number): NodeProto {
  const attribute = create(AttributeProtoSchema, { name: 'to', type: AttributeType.INT, i: BigInt(type) });
  return create(NodeProtoSchema, { name: to, opType: 'Cast', input: [from], output: [to], attribute: [attribute] });
}
