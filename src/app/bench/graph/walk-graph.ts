import type { GraphView, PlacedNode } from '../../../../workers/model-graph/client.ts';

/**
 * The node that a key moves to: up and down follow the edges to the nearest node; left, right, Home and End go
 * through all nodes in order from the inputs, so that each can be reached. null: none.
 */
export function walkGraph({ nodes, edges }: GraphView, from: PlacedNode, key: string): PlacedNode | null {
  const at = nodes.indexOf(from);
  const nearest = (ids: readonly string[]) =>
    nodes
      .filter(({ id }) => ids.includes(id))
      .toSorted((a, b) => Math.abs(a.x - from.x) - Math.abs(b.x - from.x))
      .at(0) ?? null;
  switch (key) {
    case 'ArrowUp':
      return nearest(edges.filter(({ to }) => to === from.id).map((edge) => edge.from));
    case 'ArrowDown':
      return nearest(edges.filter((edge) => edge.from === from.id).map(({ to }) => to));
    case 'ArrowLeft':
      return nodes[at - 1] ?? null;
    case 'ArrowRight':
      return nodes[at + 1] ?? null;
    case 'Home':
      return nodes[0] ?? null;
    case 'End':
      return nodes.at(-1) ?? null;
    default:
      return null;
  }
}
