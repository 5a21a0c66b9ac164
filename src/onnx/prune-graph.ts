import type { GraphProto } from '../gen/onnx_pb.ts';
import { dropUnusedInitializers } from './edit-model.ts';
import { readBy } from './graph-walk.ts';

/**
 * Makes `outputs` (names of tensors) the only outputs and removes the nodes and the weights that none of them needs.
 * Inputs stay, needed or not. Returns how many nodes went.
 */
export function pruneGraph(graph: GraphProto, outputs: readonly string[]): number {
  const makerOf = new Map(graph.node.flatMap((node) => node.output.map((name) => [name, node] as const)));
  const needed = new Set<string>();
  const pending = [...outputs];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (needed.has(name)) continue;
    needed.add(name);
    const maker = makerOf.get(name);
    if (maker) pending.push(...readBy(maker));
  }
  const before = graph.node.length;
  graph.node = graph.node.filter(({ output }) => output.some((name) => needed.has(name)));
  graph.output = graph.output.filter(({ name }) => outputs.includes(name));
  const weights = new Set(graph.initializer.map(({ name }) => name));
  dropUnusedInitializers(graph);
  const left = new Set(graph.initializer.map(({ name }) => name));
  // Old models list their weights among the inputs: one that went would wait there to be fed.
  graph.input = graph.input.filter(({ name }) => !weights.has(name) || left.has(name));
  return before - graph.node.length;
}
