import { describe, expect, it } from 'vitest';
import type { GraphOperator, ModelGraph } from '../../machine/vision/inference/model-graph.ts';
import type { FoldNode } from './graph-view.ts';
import { mostShown } from './select-head.ts';
import { showGraph } from './show-graph.ts';

/** "a b -> c" is an operator that makes c of a and b; "+" before it: it was added. */
function graphOf(inputs: string, outputs: string, ...lines: readonly string[]): ModelGraph {
  return {
    inputs: inputs.split(' '),
    outputs: outputs.split(' '),
    operators: lines.map((line): GraphOperator => {
      const [read, made] = line
        .replace('+', '')
        .split('->')
        .map((names) => names.trim().split(' '));
      const names = { operator: 'Relu', name: '', attributes: [], isAdded: line.startsWith('+') };
      return { ...names, inputs: read!, outputs: made! };
    }),
    tensors: new Map([[outputs.split(' ')[0]!, { dtype: 'float32', shape: [1, 'N', 4], constant: null }]]),
  };
}

/** t0 → t1 → … of `length` operators. */
const chain = (length: number, from = 't') => Array.from({ length }, (_, at) => `${from}${at} -> ${from}${at + 1}`);

const folds = (graph: ModelGraph, unfolded: readonly number[] = []) =>
  showGraph(graph, unfolded).nodes.filter((node): node is FoldNode => node.kind === 'fold');

/** Whether a walk along the edges comes back to where it was. */
function hasCircle({ nodes, edges }: ReturnType<typeof showGraph>): boolean {
  const left = new Map(nodes.map(({ id }) => [id, edges.filter(({ to }) => to === id).map(({ from }) => from)]));
  for (;;) {
    const free = [...left].filter(([, before]) => !before.some((id) => left.has(id))).map(([id]) => id);
    if (free.length === 0) return left.size > 0;
    free.forEach((id) => left.delete(id));
  }
}

describe('the part of a graph that is shown', () => {
  it('is what lies next to the output, the rest one fold between it and the input', () => {
    const { nodes, edges, operatorCount } = showGraph(graphOf('t0', 't100', ...chain(100)), []);
    expect(operatorCount).toBe(100);
    expect(nodes.map(({ kind }) => kind)).toEqual(['input', 'fold', ...Array(20).fill('operator'), 'output']);
    expect(nodes[1]).toMatchObject({ title: '… 80 operators', count: 80, operators: [['Relu', 80]] });
    expect(edges.map(({ from, to }) => [from, to]).slice(0, 2)).toEqual([
      ['input t0', 'operator 0'],
      ['operator 0', 'operator 80'],
    ]);
    expect(edges.at(-1)).toMatchObject({ to: 'output t100', label: ['t100', 'float32 1 × N × 4'] });
  });

  it('grows by a step of the fold, until nothing is folded', () => {
    const graph = graphOf('t0', 't40', ...chain(40));
    const [first] = folds(graph);
    expect(first!.next).toEqual([19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8]);
    const [second] = folds(graph, first!.next);
    expect(second).toMatchObject({ count: 8, next: [7, 6, 5, 4, 3, 2, 1, 0] });
    expect(folds(graph, [...first!.next, ...second!.next])).toEqual([]);
  });

  it('hides no three operators behind a fold, and nothing that leads nowhere', () => {
    const { nodes } = showGraph(graphOf('t0', 't23', ...chain(23), 't3 -> dead'), []);
    expect(nodes.filter(({ kind }) => kind === 'operator')).toHaveLength(23);
    expect(folds(graphOf('t0', 't24', ...chain(24)))).toHaveLength(1);
  });

  it('shows what was added at both ends, and draws no circles', () => {
    const lines = [...chain(60), '+image -> t0', '+t60 -> made', '+image made -> score'];
    const shown = showGraph(graphOf('image', 'score', ...lines), []);
    const added = shown.nodes.filter((node) => node.kind === 'operator' && node.isAdded);
    expect(added).toHaveLength(3);
    const own = shown.nodes.filter((node) => node.kind === 'operator' && !node.isAdded);
    expect(own.map(({ id }) => id)).toContain('operator 59');
    expect(hasCircle(shown)).toBe(false);
    // Heads and what was added are often the same: they count once.
    const decoding = graphOf('t0', 'd80', ...chain(60), '+t60 -> d0', ...chain(80, 'd').map((line) => `+${line}`));
    expect(showGraph(decoding, []).nodes.map(({ id }) => id)).toContain('operator 59');
  });

  it('folds what lies between shown operators apart from what lies before them', () => {
    const graph = graphOf('t0', 'end', ...chain(60), 't30 t60 -> end');
    expect(folds(graph).map(({ count }) => count)).toEqual([20, 21]);
    expect(hasCircle(showGraph(graph, []))).toBe(false);
  });

  it('says which outputs need what', () => {
    const graph = graphOf('t0 u0', 't50 u50 t0', ...chain(50), ...chain(50, 'u'), 't20 u20 -> both', 'both -> u21x');
    const leads = new Map(showGraph(graph, []).nodes.map(({ id, leadsTo }) => [id, leadsTo]));
    expect(leads.get('input t0')).toEqual(['output t50', 'output t0']);
    expect(leads.get('input u0')).toEqual(['output u50']);
    expect(leads.get('operator 49')).toEqual(['output t50']);
    expect(leads.get('output u50')).toEqual(['output u50']);
    const crossing = graphOf('t0 u0', 't50 u50', ...chain(50), ...chain(50, 'u'), 't20 u50 -> both', 'both -> t99');
    expect(showGraph(crossing, []).operatorCount).toBe(100);
  });

  it('labels a tensor once, and counts where many pass', () => {
    const { edges } = showGraph(graphOf('a b c', 'x y', 'a b c -> x', 'a -> y'), []);
    const of = (from: string, to: string) => edges.find((edge) => edge.from === from && edge.to === to)?.label;
    expect(of('input a', 'operator 0')).toEqual(['a']);
    expect(of('input a', 'operator 1')).toEqual([]);
    const read = Array.from({ length: 40 }, (_, at) => `t${at + 1}`).join(' ');
    const many = graphOf('t0', 'z', ...chain(40), `${read} -> z`);
    expect(showGraph(many, []).edges.map(({ label }) => label)).toContainEqual(['21 tensors']);
  });

  it('stays small for models of ten thousand operators, however wide', () => {
    const deep = graphOf('t0', 't10000', ...chain(10_000));
    const wide = graphOf(
      't0',
      Array.from({ length: 100 }, (_, at) => `o${at}`).join(' '),
      ...chain(9000),
      ...Array.from({ length: 100 }, (_, at) => `t${90 * at} t9000 -> o${at}`),
    );
    // Each of many folded operators reads other shown ones: as many folds as there are such sets.
    const meshed = graphOf(
      't0',
      'end',
      ...Array.from({ length: 100 }, (_, at) => `+t0 -> s${at}`),
      ...Array.from({ length: 5000 }, (_, at) => `s${at % 100} s${(7 * at + (at >> 4)) % 100} m${at} -> m${at + 1}`),
      'm5000 -> end',
    );
    for (const graph of [deep, wide, meshed]) {
      let unfolded: readonly number[] = [];
      for (let step = 0; step < 4; step++) {
        const shown = showGraph(graph, unfolded);
        expect(shown.nodes.filter(({ kind }) => kind === 'operator').length).toBeLessThanOrEqual(mostShown);
        expect(shown.nodes.length).toBeLessThanOrEqual(mostShown + 60 + 48);
        unfolded = [...unfolded, ...shown.nodes.flatMap((node) => (node.kind === 'fold' ? node.next : []))];
      }
    }
    expect(showGraph(wide, []).leftOut).toBe(76);
  });
});
