import type { GraphProto, TensorProto } from '../../gen/onnx_pb.ts';

/**
 * Collects the constants of a graph: its weights, and what its Constant nodes hold as a tensor.
 * @param graph of a model
 * @returns the tensors by name
 * @example
 * graphConstants({ node: [], initializer: [] }).size; // => 0
 */
export function graphConstants({
  node,
  initializer,
}: Pick<GraphProto, 'node' | 'initializer'>): ReadonlyMap<string, TensorProto> {
  const held = node.flatMap(({ opType, output, attribute }) => {
    const tensor = opType === 'Constant' ? attribute.find(({ name }) => name === 'value')?.t : undefined;
    return tensor ? [[output[0]!, tensor] as const] : [];
  });
  return new Map([...held, ...initializer.map((weight) => [weight.name, weight] as const)]);
}
