import { Graph, layout } from '@dagrejs/dagre';
import type { GraphView } from './graph-view.ts';
import type { ShownGraph } from './show-graph.ts';

/** Widths of letters of 12 and 11 px: the worker has no font to measure by, and a little room is no harm. */
const letterPx = 6.7;
const smallLetterPx = 6;
const linePx = 15;
const marginPx = 16;

/** Places nodes and labels in ranks from the inputs down, so that few edges cross. */
export function layOutGraph({ nodes, edges, ...counts }: ShownGraph): GraphView {
  const graph = new Graph().setGraph({
    rankdir: 'TB',
    nodesep: 20,
    edgesep: 12,
    ranksep: 22,
    marginx: marginPx,
    marginy: marginPx,
  });
  for (const { id, title, subtitle } of nodes) {
    const width = 24 + Math.max(letterPx * title.length, smallLetterPx * subtitle.length);
    graph.setNode(id, { width: Math.max(72, Math.ceil(width)), height: subtitle === '' ? 30 : 44 });
  }
  for (const { from, to, label } of edges) {
    const width = Math.ceil(smallLetterPx * Math.max(0, ...label.map((line) => line.length)));
    graph.setEdge(from, to, { width, height: linePx * label.length, labelpos: 'c' });
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    ...counts,
    widthPx: Math.max(width, 2 * marginPx),
    heightPx: Math.max(height, 2 * marginPx),
    nodes: nodes
      .map((node) => {
        const { x, y, width: widthPx, height: heightPx } = graph.node(node.id);
        return { ...node, x, y, widthPx, heightPx };
      })
      .toSorted((a, b) => a.y - b.y || a.x - b.x),
    edges: edges.map((edge) => {
      const { points, x, y } = graph.edge(edge.from, edge.to);
      return { ...edge, points, labelAt: edge.label.length > 0 ? { x: x!, y: y! } : null };
    }),
  };
}
