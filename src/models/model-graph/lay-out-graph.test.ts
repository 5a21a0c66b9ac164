import { expect, it } from 'vitest';
import type { GraphOperator } from '../../machine/vision/inference/model-graph.ts';
import { layOutGraph } from './lay-out-graph.ts';
import { showGraph } from './show-graph.ts';

const operator = (inputs: readonly string[], output: string): GraphOperator => ({
  operator: 'Relu',
  name: '',
  attributes: [],
  isAdded: false,
  inputs,
  outputs: [output],
});

it('puts readers below what they read, and nothing on anything else', () => {
  const operators = [operator(['a', 'b'], 'm'), operator(['m'], 'x'), operator(['m', 'b'], 'y')];
  const view = layOutGraph(showGraph({ inputs: ['a', 'b'], outputs: ['x', 'y'], operators, tensors: new Map() }, []));
  const byId = new Map(view.nodes.map((node) => [node.id, node]));
  for (const { from, to } of view.edges) expect(byId.get(from)!.y).toBeLessThan(byId.get(to)!.y);
  for (const a of view.nodes)
    for (const b of view.nodes) {
      if (a === b) continue;
      const isApart =
        Math.abs(a.x - b.x) >= (a.widthPx + b.widthPx) / 2 || Math.abs(a.y - b.y) >= (a.heightPx + b.heightPx) / 2;
      expect(isApart).toBe(true);
    }
  for (const { x, y, widthPx, heightPx } of view.nodes) {
    expect(Math.min(x - widthPx / 2, y - heightPx / 2)).toBeGreaterThanOrEqual(0);
    expect(x + widthPx / 2).toBeLessThanOrEqual(view.widthPx);
    expect(y + heightPx / 2).toBeLessThanOrEqual(view.heightPx);
  }
});
