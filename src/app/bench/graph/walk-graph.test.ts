import { expect, it } from 'vitest';
import type { GraphView, PlacedNode } from '../../../../workers/model-graph/client.ts';
import { walkGraph } from './walk-graph.ts';

const node = (id: string, x: number) => ({ id, x }) as PlacedNode;
const edge = (from: string, to: string) => ({ from, to });
/** a and b are read by m, which c and d read. */
const view = {
  nodes: [node('a', 0), node('b', 90), node('m', 80), node('c', 70), node('d', 300)],
  edges: [edge('a', 'm'), edge('b', 'm'), edge('m', 'd'), edge('m', 'c')],
} as unknown as GraphView;

it.each([
  ['m', 'ArrowUp', 'b'],
  ['m', 'ArrowDown', 'c'],
  ['d', 'ArrowUp', 'm'],
  ['a', 'ArrowUp', undefined],
  ['m', 'ArrowLeft', 'b'],
  ['m', 'ArrowRight', 'c'],
  ['a', 'ArrowLeft', undefined],
  ['d', 'ArrowRight', undefined],
  ['c', 'Home', 'a'],
  ['a', 'End', 'd'],
  ['a', 'x', undefined],
])('leads from %s by %s to %s', (from, key, to) =>
  expect(
    walkGraph(
      view,
      view.nodes.find(({ id }) => id === from)!,
      key,
    )?.id,
  ).toBe(to),
);
