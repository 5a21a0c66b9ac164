import type { StructureNode } from './structure-node.ts';

/** Makes a function that gives the node which makes a tensor; undefined: it is an input or a weight. */
export function makersIn(nodes: readonly StructureNode[]): (tensor: string) => StructureNode | undefined {
  const makers = new Map(nodes.flatMap((node) => node.output.map((name) => [name, node] as const)));
  return (tensor) => makers.get(tensor);
}

/**
 * Follows a tensor up through operators that only hand their first input on.
 * @param tensor where to begin
 * @param makerOf gives the node that makes a tensor
 * @param isHandedOn whether this node's input stands for the tensor that it makes
 * @returns the first tensor that was not handed on; of operators in a circle, which only a broken file has, one of theirs
 * @example
 * const nodes = [{ opType: 'Cast', input: ['sum'], output: ['out'] }];
 * sourceOf('out', makersIn(nodes), ({ opType }) => opType === 'Cast'); // => 'sum'
 */
export function sourceOf(
  tensor: string,
  makerOf: (tensor: string) => StructureNode | undefined,
  isHandedOn: (maker: StructureNode, tensor: string) => boolean,
): string {
  const seen = new Set<string>();
  for (let at = tensor; ;) {
    const maker = makerOf(at);
    const [input] = maker?.input ?? [];
    if (!maker || input === undefined || seen.has(at) || !isHandedOn(maker, at)) return at;
    seen.add(at);
    at = input;
  }
}
