import type { GraphProto, NodeProto, TensorProto } from '../gen/onnx_pb.ts';
import { floatValues } from '../onnx/float-values.ts';

/** More different values than this are a table of something, such as anchors or weights, and no scale. */
const mostValues = 16;
/** One stride a cell and box number: the largest inputs have some 100,000 cells. */
const mostRead = 1_000_000;
/** Operators that pass a constant on with the same values. */
const passing = new Set(['Identity', 'Reshape', 'Unsqueeze', 'Squeeze', 'Cast', 'Transpose', 'Expand', 'Tile']);

/**
 * Lists the constants by which a graph multiplies what becomes an output, below the layers with weights: a division by c counts as
 * a product with 1 / c. The factors nearest to the output come first.
 * @param graph a graph with its weights
 * @param output name of a tensor
 * @param isLayer whether an operator has weights, so that the search ends there
 * @returns the different values of each constant, at most 16, in ascending order
 * @example
 * headFactors({ node: [], initializer: [] }, 'boxes', () => false); // => []
 */
export function headFactors(
  graph: Pick<GraphProto, 'node' | 'initializer'>,
  output: string,
  isLayer: (operator: string) => boolean,
): readonly (readonly number[])[] {
  const makerOf = new Map(graph.node.flatMap((node) => node.output.map((name) => [name, node] as const)));
  const weights = new Map(graph.initializer.map((weight) => [weight.name, weight]));
  const constantOf = (name: string): readonly number[] | null => {
    const weight = weights.get(name);
    if (weight) return differentValues(weight);
    const maker = makerOf.get(name);
    if (maker?.opType === 'Constant')
      return differentValues(maker.attribute.find((attribute) => attribute.name === 'value')?.t);
    return maker && passing.has(maker.opType) ? constantOf(maker.input[0]!) : null;
  };
  const factors: (readonly number[])[] = [];
  const seen = new Set<NodeProto>();
  const pending = [output];
  for (const name of pending) {
    const maker = makerOf.get(name);
    if (!maker || seen.has(maker) || isLayer(maker.opType)) continue;
    seen.add(maker);
    const factor = factorOf(maker, constantOf);
    if (factor) factors.push(factor);
    pending.push(...maker.input);
  }
  return factors;
}

function factorOf(
  { opType, input }: NodeProto,
  constantOf: (name: string) => readonly number[] | null,
): readonly number[] | null {
  if (opType === 'Mul') return constantOf(input[1]!) ?? constantOf(input[0]!);
  const divisor = opType === 'Div' ? constantOf(input[1]!) : null;
  return divisor && divisor.map((value) => 1 / value).toReversed();
}

/** Null where they are too many, or cannot be read. */
function differentValues(tensor: TensorProto | undefined): readonly number[] | null {
  const values = new Set(floatValues(tensor, mostRead));
  return values.size > 0 && values.size <= mostValues ? [...values].toSorted((a, b) => a - b) : null;
}
