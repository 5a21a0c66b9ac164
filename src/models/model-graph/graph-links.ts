import type { ModelGraph } from '../../machine/vision/face/inference.ts';

/** Which operators read what others make, by their number in the graph. */
export interface GraphLinks {
  /** the operator that makes a tensor; inputs and constants have none */
  readonly makerOf: ReadonlyMap<string, number>;
  /** the operators before each, without repetition */
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
  /** those that lead to an output, each behind all that it reads from */
  readonly order: readonly number[];
}

export function linkGraph({ operators, outputs }: ModelGraph): GraphLinks {
  const makerOf = new Map(
    operators.flatMap((operator, index) => operator.outputs.map((name) => [name, index] as const)),
  );
  const before = operators.map(({ inputs }) => [...new Set(inputs.flatMap((name) => makerOf.get(name) ?? []))]);
  const after: number[][] = operators.map(() => []);
  before.forEach((makers, index) => makers.forEach((maker) => after[maker]!.push(index)));
  return {
    makerOf,
    before,
    after,
    order: orderBehind(
      outputs.flatMap((name) => makerOf.get(name) ?? []),
      before,
    ),
  };
}

/** Everything that `ends` need, themselves included, each behind what it reads; without recursion, as models are deep. */
function orderBehind(ends: readonly number[], before: readonly (readonly number[])[]): number[] {
  const seen = new Set<number>();
  const order = new Set<number>();
  for (const end of ends) {
    const path = [end];
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      seen.add(at);
      const unseen = before[at]!.find((index) => !seen.has(index));
      if (unseen !== undefined) path.push(unseen);
      else order.add(path.pop()!);
    }
  }
  return [...order];
}

/** Walks back from operators, the nearest first, through those that `isTaken`; at most `most` of them. */
export function nearestBefore(
  ends: readonly number[],
  { before }: GraphLinks,
  most: number,
  isTaken: (index: number) => boolean = () => true,
): number[] {
  const found = [...new Set(ends.filter(isTaken))].slice(0, most);
  const seen = new Set(found);
  for (let at = 0; at < found.length && found.length < most; at++) {
    for (const index of before[found[at]!]!) {
      if (found.length >= most || seen.has(index) || !isTaken(index)) continue;
      seen.add(index);
      found.push(index);
    }
  }
  return found;
}
