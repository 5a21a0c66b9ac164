import type { GraphProto, NodeProto } from '../../gen/onnx_pb.ts';
import { graphConstants } from './graph-constants.ts';
import { elementwise, shapeless, wholeNumbers } from './stated-shapes.ts';

/**
 * Finds how many numbers the last axis of a tensor has, where products with weights say it. It is for files that leave the sizes of
 * their outputs open: decoders of queries end in a product with a matrix of as many columns.
 * @param graph of a model
 * @param tensor its name
 * @param rank how many axes it has
 * @returns the size; -1: nothing says it
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * lastSize(decodeModel(channelMeansClassifier()).graph, 'unknown', 3); // => -1
 */
export function lastSize(graph: GraphProto, tensor: string, rank: number): number {
  const makerOf = new Map(graph.node.flatMap((node) => node.output.map((name) => [name, node] as const)));
  const constants = graphConstants(graph);
  const found = new Map<string, number>();

  const sizeOf = (name: string, axes: number): number => {
    const maker = makerOf.get(name);
    const known = found.get(name);
    if (!maker || known !== undefined) return known ?? -1;
    // A graph has no cycles; a file that says otherwise must not end in one.
    found.set(name, -1);
    const size = ofNode(maker, axes);
    found.set(name, size);
    return size;
  };
  const ofNode = (node: NodeProto, axes: number): number => {
    const [first = '', second = ''] = node.input;
    if (shapeless.has(node.opType)) return sizeOf(first, axes);
    if (elementwise.has(node.opType)) {
      // One number stands for all of another part's.
      const size = Math.max(...node.input.map((input) => sizeOf(input, axes)));
      return size > 1 ? size : -1;
    }
    const isLast = (axis: number) => axis === -1 || axis === axes - 1;
    switch (node.opType) {
      case 'MatMul':
        return Number(constants.get(second)?.dims.at(-1) ?? -1n);
      case 'Concat': {
        if (!isLast(axisOf(node))) return sizeOf(first, axes);
        const sizes = node.input.map((input) => sizeOf(input, axes));
        return sizes.includes(-1) ? -1 : sizes.reduce((a, b) => a + b, 0);
      }
      case 'GatherElements':
        return isLast(axisOf(node)) ? -1 : sizeOf(first, axes);
      case 'Squeeze': {
        const places = axesOf(node);
        return places === null || places.some((axis) => axis < 0 || axis >= axes)
          ? -1
          : sizeOf(first, axes + places.length);
      }
      case 'Gather': {
        const picked = constants.get(second);
        const before = axes + 1 - (picked?.dims.length ?? 1);
        const axis = axisOf(node);
        return axis === -1 || axis === before - 1 ? -1 : sizeOf(first, before);
      }
      case 'Unsqueeze': {
        const places = axesOf(node);
        if (places === null) return -1;
        return places.some(isLast) ? 1 : sizeOf(first, axes - places.length);
      }
      default:
        return -1;
    }
  };
  /** The axes, from an attribute, or since opset 13 from an input. */
  const axesOf = ({ attribute, input }: NodeProto): readonly number[] | null =>
    attribute.find(({ name }) => name === 'axes')?.ints.map(Number) ?? wholeNumbers(constants.get(input[1] ?? ''));
  return sizeOf(tensor, rank);
}

function axisOf({ attribute }: NodeProto): number {
  return Number(attribute.find(({ name }) => name === 'axis')?.i ?? 0n);
}
