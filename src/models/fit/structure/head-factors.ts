import type { GraphProto } from '../../../gen/onnx_pb.ts';
import { floatValues, graphConstants } from '../../onnx/face/graphs.ts';
import { makersIn, sourceOf } from './source-of.ts';
import type { StructureNode } from './structure-node.ts';

/** More different values than this are a table of something, such as anchors or weights, and no scale. */
const mostValues = 16;
/** One stride a cell and box number: the largest inputs have some 100,000 cells. */
export const mostRead = 1_000_000;
/** Operators that pass a constant on with the same values. */
const passing = new Set(['Identity', 'Reshape', 'Unsqueeze', 'Squeeze', 'Cast', 'Transpose', 'Expand', 'Tile']);

/** A graph as its nodes, under ONNX's names for operators, and the different values of its constants. */
export interface FactorGraph {
  readonly nodes: readonly StructureNode[];
  /** null: no constant, or one of more values than a scale has */
  readonly valuesOf: (tensor: string) => readonly number[] | null;
}

/**
 * Lists the constants by which a graph multiplies what becomes an output, below the layers with weights: a division by c counts as
 * a product with 1 / c. The factors nearest to the output come first.
 * @param graph nodes and constants
 * @param output name of a tensor
 * @param isLayer whether an operator has weights, so that the search ends there
 * @returns the different values of each constant, at most 16, in ascending order
 * @example
 * headFactors({ nodes: [], valuesOf: () => null }, 'boxes', () => false); // => []
 */
export function headFactors(
  { nodes, valuesOf }: FactorGraph,
  output: string,
  isLayer: (operator: string) => boolean,
): readonly (readonly number[])[] {
  const makerOf = makersIn(nodes);
  const constantOf = (name: string): readonly number[] | null =>
    valuesOf(sourceOf(name, makerOf, ({ opType }) => passing.has(opType)));
  const factors: (readonly number[])[] = [];
  const seen = new Set<StructureNode>();
  const pending = [output];
  for (const name of pending) {
    const maker = makerOf(name);
    if (!maker || seen.has(maker) || isLayer(maker.opType)) continue;
    seen.add(maker);
    const factor = factorOf(maker, constantOf);
    if (factor) factors.push(factor);
    pending.push(...maker.input);
  }
  return factors;
}

function factorOf(
  { opType, input }: StructureNode,
  constantOf: (name: string) => readonly number[] | null,
): readonly number[] | null {
  if (opType === 'Mul') return constantOf(input[1]!) ?? constantOf(input[0]!);
  const divisor = opType === 'Div' ? constantOf(input[1]!) : null;
  return divisor && divisor.map((value) => 1 / value).toReversed();
}

/** The nodes and constants of an ONNX graph. */
export function onnxFactors(graph: Pick<GraphProto, 'node' | 'initializer'>): FactorGraph {
  const constants = graphConstants(graph);
  return { nodes: graph.node, valuesOf: (tensor) => differentValues(floatValues(constants.get(tensor), mostRead)) };
}

/** The different ones of some numbers, in ascending order; null where there are none, or too many. */
export function differentValues(numbers: Iterable<number> | null): readonly number[] | null {
  const values = new Set(numbers);
  return values.size > 0 && values.size <= mostValues ? [...values].toSorted((a, b) => a - b) : null;
}
