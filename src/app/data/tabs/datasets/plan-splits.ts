import type { Split } from '../../../../datasets/dataset-item.ts';
import { groupBursts, groupDays, groupVideos, joinGroups } from '../../../../datasets/group-pictures.ts';
import { splitGroups } from '../../../../datasets/split-dataset.ts';
import type { SplitSettings } from './split-settings.ts';
import type { StoredPicture } from './stored-pictures.ts';

export const splitNames: readonly Split[] = ['train', 'val', 'test'];

export interface PlannedSplits {
  readonly splits: ReadonlyMap<string, Split>;
  readonly counts: Readonly<Record<Split, number>>;
  /** groups of two and more that stay together */
  readonly groupCount: number;
  /** pictures that stay where they are tagged to be */
  readonly heldCount: number;
  /** pictures in those groups */
  readonly groupedCount: number;
}

/** Splits pictures; those that belong together stay together, and tagged ones stay where they are if so wished. */
export function planSplits(
  pictures: readonly Pick<
    StoredPicture,
    'contentId' | 'fileName' | 'source' | 'timeMs' | 'tags' | 'boxes' | 'classifications'
  >[],
  nearDuplicates: readonly (readonly string[])[],
  { burstSeconds, keepsAlike, keepsDays, keepsVideos, isStratified, followsTags, seed, ...ratios }: SplitSettings,
): PlannedSplits {
  const timed = pictures.flatMap(({ contentId, source, timeMs }) =>
    timeMs === null ? [] : [{ contentId, source, capturedAtMs: timeMs }],
  );
  const groups = joinGroups(
    pictures.map(({ contentId }) => [contentId]),
    burstSeconds > 0 ? groupBursts(timed, burstSeconds * 1000) : [],
    keepsAlike ? nearDuplicates : [],
    keepsDays ? groupDays(timed) : [],
    keepsVideos ? groupVideos(pictures) : [],
  );
  const assigned = new Map<string, Split>();
  for (const { contentId, tags } of followsTags ? pictures : []) {
    const own = splitNames.filter((split) => tags.includes(split));
    if (own.length === 1) assigned.set(contentId, own[0]!);
  }
  const labelsOf = new Map(
    pictures.map(({ contentId, boxes, classifications }) => {
      const labels = [...boxes, ...classifications].map(({ label }) => label);
      // Pictures of nothing have their share, too.
      return [contentId, labels.length > 0 ? [...new Set(labels)] : ['']] as const;
    }),
  );
  const splits = splitGroups(
    groups.map((group) =>
      group.map((contentId) => ({ contentId, labels: isStratified ? labelsOf.get(contentId)! : [] })),
    ),
    ...([ratios, seed, assigned] as const),
  );
  const counts = { train: 0, val: 0, test: 0 };
  for (const split of splits.values()) counts[split]++;
  const together = groups.filter(({ length }) => length > 1);
  return {
    splits,
    counts,
    heldCount: assigned.size,
    groupCount: together.length,
    groupedCount: together.flat().length,
  };
}
