import type { Split } from './dataset-item.ts';
import { stablePart } from './stable-hash.ts';

/** Shares of the splits, 0 or more; only their proportions count. */
export interface SplitRatios {
  readonly train: number;
  readonly val: number;
  readonly test: number;
}

/**
 * The split of a picture by the hash of its content id: the same for ever, whatever else is in the dataset. Another
 * seed shuffles anew. Changed ratios move only the pictures between the old and the new border.
 *
 * @throws RangeError for shares below 0, or none above it
 */
export function splitOf(contentId: string, { train, val, test }: SplitRatios, seed: string): Split {
  const total = train + val + test;
  if (!(total > 0 && Math.min(train, val, test) >= 0 && Number.isFinite(total))) {
    throw new RangeError(
      `Splits of ${train}, ${val} and ${test} cannot be made: give shares of 0 or more, one above 0.`,
    );
  }
  const part = stablePart(`${seed}\n${contentId}`) * total;
  if (part < train) return 'train';
  return part < train + val ? 'val' : 'test';
}

/**
 * Splits pictures so that those of a group stay together. A group goes where its members have been put before, so that
 * a growing dataset moves nothing from training into test; a new group goes by the hash of its smallest content id.
 *
 * @param assigned splits of an earlier time by content id
 */
export function splitGroups(
  groups: Iterable<readonly string[]>,
  ratios: SplitRatios,
  seed: string,
  assigned: ReadonlyMap<string, Split> = new Map(),
): Map<string, Split> {
  const splits = new Map<string, Split>();
  for (const group of groups) {
    const members = group.toSorted();
    const [smallest] = members;
    if (smallest === undefined) continue;
    const known = members.find((contentId) => assigned.has(contentId));
    const split = known === undefined ? splitOf(smallest, ratios, seed) : assigned.get(known)!;
    for (const contentId of members) splits.set(contentId, split);
  }
  return splits;
}
