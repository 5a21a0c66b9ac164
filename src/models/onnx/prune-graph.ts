import type { GraphProto } from '../../gen/onnx_pb.ts';
import { dropUnusedInitializers } from './edit-model.ts';
import { readBy } from './graph-walk.ts';

/**
 * Makes some tensors the only outputs, and removes nodes and weights that none of them needs. Inputs stay.
 * @param graph is changed
 * @param outputs names of tensors
 * @returns how many nodes were removed
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { fixedDetector } from '../../../tests/models.ts';
 * const { graph } = decodeModel(fixedDetector({ boxes: [[0, 0, 1, 1]], categories: [0], scores: [1] }));
 * [pruneGraph(graph, ['score']), graph.output.map(({ name }) => name)]; // => [2, ['score']]
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
