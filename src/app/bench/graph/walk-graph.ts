import type { GraphView, PlacedNode } from '../../../../workers/model-graph/client.ts';

/**
 * Where a key leads from a node: up and down along the edges, to the nearest of several; left and right, Home and End through all
 * nodes in their order from the inputs down, so that none is out of reach. null = nowhere.
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
