import type { GraphTensor, ModelGraph } from '../../machine/vision/face/inference.ts';
import { foldGraph } from './fold-graph.ts';
import { linkGraph, nearestBefore, type GraphLinks } from './graph-links.ts';
import type { FoldNode, ShownEdge, ShownNode, ShownTensor } from './graph-view.ts';
import { operatorKind } from './operator-kind.ts';
import { mostShown, selectHead } from './select-head.ts';

export interface ShownGraph {
  readonly nodes: readonly ShownNode[];
  readonly edges: readonly ShownEdge[];
  readonly operatorCount: number;
  /** inputs and outputs that are not shown, as there are too many */
  readonly leftOut: number;
}

const mostOutputs = 24;
const mostInputs = 24;
/** operators that one step unfolds */
const stepSize = 12;
const fewOperators = 3;
const mostOperatorsNamed = 12;

/**
 * The part of a model's graph that is shown: the operators next to the outputs, those that were added or unfolded, and folds that
 * stand for all others. There are at most `mostShown` operators, 60 folds and 48 inputs and outputs, whatever the model.
 *
 * @param unfolded numbers of operators, as the folds' `next` give them
 */
export function showGraph(graph: ModelGraph, unfolded: readonly number[]): ShownGraph {
  const links = linkGraph(graph);
  const { shown, folds } = foldRest(links, selectHead(graph, links, unfolded));
  const inputs = graph.inputs.slice(0, mostInputs);
  const outputs = graph.outputs.slice(0, mostOutputs);
  const foldOf = new Map(folds.flatMap((fold) => fold.map((index) => [index, fold] as const)));
  const idOf = (index: number) => `operator ${foldOf.get(index)?.[0] ?? index}`;
  const leadsTo = whatLeadsTo(graph, links, outputs, idOf);
  const words = (id: string) => ({ id, leadsTo: leadsTo(id) });
  const tensorOf = (name: string) => shownTensor(name, graph.tensors.get(name));

  const nodes: ShownNode[] = [
    ...inputs.map((name) => boundaryNode('input', words(inputId(name)), tensorOf(name))),
    ...links.order.flatMap((index): ShownNode[] => {
      if (foldOf.get(index)?.[0] === index)
        return [foldNode(graph, links, foldOf.get(index)!, words(idOf(index)), shown)];
      if (foldOf.has(index)) return [];
      const { operator, name, attributes, isAdded, ...own } = graph.operators[index]!;
      return [
        {
          kind: 'operator',
          ...words(idOf(index)),
          title: operator,
          subtitle: isAdded ? '' : shortened(name.split('/').filter(Boolean).at(-1) ?? '', 28),
          operatorKind: operatorKind(operator),
          isAdded,
          name,
          attributes,
          inputs: own.inputs.map(tensorOf),
          outputs: own.outputs.map(tensorOf),
        },
      ];
    }),
    ...outputs.map((name) => boundaryNode('output', words(outputId(name)), tensorOf(name))),
  ];
  return {
    nodes,
    edges: edgesOf(graph, links, { inputs, outputs, idOf, tensorOf }),
    operatorCount: links.order.length,
    leftOut: graph.inputs.length - inputs.length + graph.outputs.length - outputs.length,
  };
}

/** A fold of so few operators would hide less than it takes: they are shown. */
function foldRest(links: GraphLinks, selected: ReadonlySet<number>) {
  for (let shown = selected; ;) {
    const folds = foldGraph(links, shown);
    const few = folds.filter(({ length }) => length <= fewOperators).flat();
    if (few.length === 0 || shown.size + few.length > mostShown) return { shown, folds };
    shown = new Set([...shown, ...few]);
  }
}

const inputId = (name: string) => `input ${name}`;
const outputId = (name: string) => `output ${name}`;

function boundaryNode(
  kind: 'input' | 'output',
  words: Pick<ShownNode, 'id' | 'leadsTo'>,
  tensor: ShownTensor,
): ShownNode {
  return { kind, ...words, title: shortened(tensor.name, 32), subtitle: typeText(tensor), tensor };
}

function foldNode(
  { operators }: ModelGraph,
  links: GraphLinks,
  fold: readonly number[],
  words: Pick<ShownNode, 'id' | 'leadsTo'>,
  shown: ReadonlySet<number>,
): FoldNode {
  const counts = new Map<string, number>();
  for (const index of fold) {
    const { operator } = operators[index]!;
    counts.set(operator, (counts.get(operator) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, mostOperatorsNamed);
  const within = new Set(fold);
  const ends = fold.filter(
    (index) => links.after[index]!.length === 0 || links.after[index]!.some((reader) => !within.has(reader)),
  );
  return {
    kind: 'fold',
    ...words,
    title: `… ${fold.length.toLocaleString('en')} ${fold.length === 1 ? 'operator' : 'operators'}`,
    subtitle: frequent
      .slice(0, 3)
      .map(([operator, count]) => `${operator} ${count}`)
      .join(' · '),
    count: fold.length,
    operators: frequent,
    next: nearestBefore(ends, links, Math.min(stepSize, mostShown - shown.size), (index) => within.has(index)),
  };
}

interface Shown {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly idOf: (index: number) => string;
  readonly tensorOf: (name: string) => ShownTensor;
}

/** One edge from node to node, whatever number of tensors passes; of those of one tensor the first has the label. */
function edgesOf(
  { operators }: ModelGraph,
  links: GraphLinks,
  { inputs, outputs, idOf, tensorOf }: Shown,
): ShownEdge[] {
  const passing = new Map<string, { from: string; to: string; names: Set<string> }>();
  const sourceOf = (name: string) => {
    const maker = links.makerOf.get(name);
    if (maker !== undefined) return idOf(maker);
    return inputs.includes(name) ? inputId(name) : null;
  };
  const pass = (name: string, to: string) => {
    const from = sourceOf(name);
    if (from === null || from === to) return;
    const key = `${from}\n${to}`;
    const edge = passing.get(key);
    if (edge) edge.names.add(name);
    else passing.set(key, { from, to, names: new Set([name]) });
  };
  for (const index of links.order) for (const name of operators[index]!.inputs) pass(name, idOf(index));
  for (const name of outputs) pass(name, outputId(name));

  const labelled = new Set<string>();
  return [...passing.values()].map(({ from, to, names }) => {
    const tensors = [...names].map(tensorOf);
    const isNew = tensors.some(({ name }) => !labelled.has(from + name));
    for (const { name } of tensors) labelled.add(from + name);
    return { from, to, tensors, label: isNew ? labelOf(tensors) : [] };
  });
}

function labelOf(tensors: readonly ShownTensor[]): string[] {
  if (tensors.length > 2) return [`${tensors.length} tensors`];
  return tensors.flatMap((tensor) => [shortened(tensor.name, 24), typeText(tensor)]).filter((text) => text !== '');
}

function shownTensor(name: string, tensor: GraphTensor | undefined): ShownTensor {
  const { dtype = '', shape = null, constant = null } = tensor ?? {};
  return { name, dtype, shape: shape === null ? '' : shape.join(' × ') || 'scalar', constant };
}

function typeText({ dtype, shape }: ShownTensor): string {
  return [dtype, shape].filter((text) => text !== '').join(' ');
}

/** The end of a name tells more than its beginning. */
function shortened(name: string, most: number): string {
  return name.length > most ? `…${name.slice(1 - most)}` : name;
}

/** For each node the outputs that need it: those of a fold need any of its operators. */
function whatLeadsTo(graph: ModelGraph, links: GraphLinks, outputs: readonly string[], idOf: Shown['idOf']) {
  const needed = new Map<string, string[]>();
  for (const output of outputs) {
    const maker = links.makerOf.get(output);
    const behind = maker === undefined ? [] : nearestBefore([maker], links, Infinity);
    const read = new Set([output, ...behind.flatMap((index) => graph.operators[index]!.inputs)]);
    const ids = new Set([
      outputId(output),
      ...behind.map(idOf),
      ...graph.inputs.filter((name) => read.has(name)).map(inputId),
    ]);
    for (const id of ids) needed.set(id, [...(needed.get(id) ?? []), outputId(output)]);
  }
  return (id: string): readonly string[] => needed.get(id) ?? [];
}
