import type { PlacedEdge } from '../../../../workers/model-graph/client.ts';

/** An SVG path through an edge's points, its bends rounded. */
export function edgePath({ points }: Pick<PlacedEdge, 'points'>): string {
  const [start, ...rest] = points;
  const end = rest.at(-1);
  if (!start || !end) return '';
  const bends = rest.slice(0, -1).map(({ x, y }, at) => {
    const next = rest[at + 1]!;
    const [toX, toY] = at === rest.length - 2 ? [next.x, next.y] : [(x + next.x) / 2, (y + next.y) / 2];
    return `Q${round(x)} ${round(y)} ${round(toX)} ${round(toY)}`;
  });
  return `M${round(start.x)} ${round(start.y)}${bends.join('') || `L${round(end.x)} ${round(end.y)}`}`;
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
