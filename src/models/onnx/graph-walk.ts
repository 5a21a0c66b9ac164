import type { GraphProto, ModelProto, NodeProto } from '../../gen/onnx_pb.ts';

/** A graph and all graphs inside its nodes (the branches of If, the bodies of Loop and Scan). */
export function graphsOf(graph: GraphProto): GraphProto[] {
  return [graph, ...subgraphs(graph.node)];
}

function subgraphs(nodes: readonly NodeProto[]): GraphProto[] {
  return nodes.flatMap((node) => subgraphsOf(node).flatMap(graphsOf));
}

/**
 * The graphs directly inside a node.
 * @param node of a graph
 * @returns the branches of If, the body of Loop or Scan; of any other node none
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { fixedClassifier } from '../../../tests/models.ts';
 * decodeModel(fixedClassifier({ scores: [1] })).graph.node.flatMap(subgraphsOf).length; // => 0
 */
export function subgraphsOf({ attribute }: NodeProto): GraphProto[] {
  return attribute.flatMap(({ g, graphs }) => [...(g === undefined ? [] : [g]), ...graphs]);
}

/**
 * Names the tensors that the graph itself makes or takes in, its subgraphs' left out.
 * @param graph of a model, or inside a node
 * @returns names of inputs, initializers and results
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { fixedClassifier } from '../../../tests/models.ts';
 * [...definedIn(decodeModel(fixedClassifier({ scores: [1] })).graph)]; // => ['image', 'sightglass/constant_1', 'probability']
 */
export function definedIn({ input, initializer, node }: GraphProto): Set<string> {
  return new Set([...[...input, ...initializer].map(({ name }) => name), ...node.flatMap(({ output }) => output)]);
}

/**
 * Names all tensors of a graph and of its subgraphs.
 * @param graph of a model
 * @returns the names
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { fixedClassifier } from '../../../tests/models.ts';
 * [...tensorNames(decodeModel(fixedClassifier({ scores: [1] })).graph)]; // => ['image', 'sightglass/constant_1', 'probability']
 */
export function tensorNames(graph: GraphProto): Set<string> {
  return new Set(graphsOf(graph).flatMap((inner) => [...definedIn(inner), ...inner.output.map(({ name }) => name)]));
}

/**
 * Finds a name for a new tensor.
 * @param wanted the name
 * @param taken names of the graph's tensors
 * @returns the name, with as many underscores behind it as make it free
 * @example
 * freeName('cast', new Set(['cast'])); // => 'cast_'
 */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  while (taken.has(name)) name += '_';
  return name;
}

/**
 * What a node reads: its inputs, and what its subgraphs take from outside.
 * @param node of a graph
 * @returns names of tensors; '' stands for an input that is left out
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { fixedClassifier } from '../../../tests/models.ts';
 * decodeModel(fixedClassifier({ scores: [1] })).graph.node.flatMap(readBy); // => ['sightglass/constant_1']
 */
export function readBy(node: NodeProto): string[] {
  return [...node.input, ...subgraphsOf(node).flatMap(takenFromOutside)];
}

function takenFromOutside(graph: GraphProto): string[] {
  const own = definedIn(graph);
  const read = [...graph.node.flatMap(readBy), ...graph.output.map(({ name }) => name)];
  return read.filter((name) => name !== '' && !own.has(name));
}

/** The nodes of a graph or of a function, with those inside their nodes. */
export function nodesOf({ node }: { readonly node: NodeProto[] }): NodeProto[] {
  return [...node, ...subgraphs(node).flatMap((inner) => inner.node)];
}

/** How often each operator that the runtime must have occurs; functions that the model itself defines are opened up. */
export function countOperators({ graph, functions }: ModelProto): Record<string, number> {
  const defined = new Set(functions.map(({ domain, name }) => operatorName(domain, name)));
  const nodes = [...(graph === undefined ? [] : [graph]), ...functions].flatMap(nodesOf);
  const counts: Record<string, number> = {};
  for (const { domain, opType } of nodes) {
    const operator = operatorName(domain, opType);
    if (!defined.has(operator)) counts[operator] = (counts[operator] ?? 0) + 1;
  }
  return counts;
}

/**
 * Names an operator.
 * @param domain of the operator; '' and 'ai.onnx' are the default one
 * @param name within its domain
 * @returns "Conv"; outside the default domain "domain.Name"
 * @example
 * operatorName('com.microsoft', 'Gelu'); // => 'com.microsoft.Gelu'
 */
export function operatorName(domain: string, name: string): string {
  return domain === '' || domain === 'ai.onnx' ? name : `${domain}.${name}`;
}
