import type { Split } from '../../../../datasets/dataset-item.ts';
import { groupBursts, joinGroups } from '../../../../datasets/group-pictures.ts';
import { splitGroups } from '../../../../datasets/split-dataset.ts';
import type { SplitSettings } from './split-settings.ts';
import type { StoredPicture } from './stored-pictures.ts';

export const splitNames: readonly Split[] = ['train', 'val', 'test'];

export interface PlannedSplits {
  readonly splits: ReadonlyMap<string, Split>;
  readonly counts: Readonly<Record<Split, number>>;
  /** groups of two and more that stay together */
  readonly groupCount: number;
  /** pictures in those */
  readonly groupedCount: number;
}

/** Splits pictures; those that belong together stay together, and tagged ones stay where they are if so wished. */
export function planSplits(
  pictures: readonly Pick<StoredPicture, 'contentId' | 'source' | 'timeMs' | 'tags'>[],
  nearDuplicates: readonly (readonly string[])[],
  { burstSeconds, keepsAlike, followsTags, seed, ...ratios }: SplitSettings,
): PlannedSplits {
  const timed = pictures.flatMap(({ contentId, source, timeMs }) =>
    timeMs === null ? [] : [{ contentId, source, capturedAtMs: timeMs }],
  );
  const groups = joinGroups(
    pictures.map(({ contentId }) => [contentId]),
    burstSeconds > 0 ? groupBursts(timed, burstSeconds * 1000) : [],
    keepsAlike ? nearDuplicates : [],
  );
  const assigned = new Map<string, Split>();
  for (const { contentId, tags } of followsTags ? pictures : []) {
    const own = splitNames.filter((split) => tags.includes(split));
    if (own.length === 1) assigned.set(contentId, own[0]!);
  }
  const splits = splitGroups(groups, ratios, seed, assigned);
  const counts = { train: 0, val: 0, test: 0 };
  for (const split of splits.values()) counts[split]++;
  const together = groups.filter(({ length }) => length > 1);
  return { splits, counts, groupCount: together.length, groupedCount: together.flat().length };
}
