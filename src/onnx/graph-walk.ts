import type { GraphProto, ModelProto, NodeProto } from '../gen/onnx_pb.ts';

/** A graph and all graphs inside its nodes (the branches of If, the bodies of Loop and Scan). */
export function graphsOf(graph: GraphProto): GraphProto[] {
  return [graph, ...subgraphs(graph.node)];
}

function subgraphs(nodes: readonly NodeProto[]): GraphProto[] {
  return nodes.flatMap(({ attribute }) =>
    attribute.flatMap(({ g, graphs }) => [...(g === undefined ? [] : [g]), ...graphs].flatMap(graphsOf)),
  );
}

/** How often each operator that the runtime must have occurs; functions that the model itself defines are opened up. */
export function countOperators({ graph, functions }: ModelProto): Record<string, number> {
  const defined = new Set(functions.map(({ domain, name }) => operatorName(domain, name)));
  const inFunctions = functions.flatMap(({ node }) => [...node, ...subgraphs(node).flatMap((inner) => inner.node)]);
  const nodes = [...(graph === undefined ? [] : graphsOf(graph).flatMap(({ node }) => node)), ...inFunctions];
  const counts: Record<string, number> = {};
  for (const { domain, opType } of nodes) {
    const operator = operatorName(domain, opType);
    if (!defined.has(operator)) counts[operator] = (counts[operator] ?? 0) + 1;
  }
  return counts;
}

function operatorName(domain: string, name: string): string {
  return domain === '' || domain === 'ai.onnx' ? name : `${domain}.${name}`;
}
