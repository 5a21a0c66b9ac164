import type { GraphLinks } from './graph-links.ts';

const mostFolds = 60;

/**
 * Puts the operators that are not shown together, as few folds as leave the graph without circles: those of which the same shown
 * operators are ancestors. (A path that leaves a fold over a shown operator ends where that operator is an ancestor, so in another one.)
 * Each fold lists its operators in the order of the graph. Where that would be more than 60 folds there is one, and circles.
 */
export function foldGraph({ before, order }: GraphLinks, shown: ReadonlySet<number>): readonly (readonly number[])[] {
  const bits = new Map(order.filter((index) => shown.has(index)).map((index, bit) => [index, 1n << BigInt(bit)]));
  const ancestors = new Map<number, bigint>();
  const folds = new Map<bigint, number[]>();
  for (const index of order) {
    const own = before[index]!.reduce((all, maker) => all | (ancestors.get(maker) ?? 0n) | (bits.get(maker) ?? 0n), 0n);
    ancestors.set(index, own);
    if (shown.has(index)) continue;
    const fold = folds.get(own);
    if (fold) fold.push(index);
    else folds.set(own, [index]);
  }
  return folds.size > mostFolds ? [order.filter((index) => !shown.has(index))] : [...folds.values()];
}
