import {
  groupBursts,
  groupDays,
  groupSequences,
  groupVideos,
  joinGroups,
  type Split,
} from '../../../../../evidence/datasets/face/items.ts';
import { splitGroups } from '../../../../../evidence/datasets/face/formats.ts';
import type { SplitSettings } from './split-settings.ts';
import type { StoredPicture } from '../../../annotate/saving/stored-pictures.ts';

export const splitNames: readonly Split[] = ['train', 'val', 'test'];

export interface PlannedSplits {
  readonly splits: ReadonlyMap<string, Split>;
  readonly counts: Readonly<Record<Split, number>>;
  /** groups of two or more that stay together */
  readonly groupCount: number;
  /** pictures that stay in the split of their tag */
  readonly heldCount: number;
  /** pictures in those groups */
  readonly groupedCount: number;
}

type SplitPicture = Pick<
  StoredPicture,
  'contentId' | 'fileName' | 'source' | 'timeMs' | 'tags' | 'boxes' | 'classifications'
>;

/** Assigns pictures to splits; groups stay together, and tagged pictures keep their split if wanted. */
export function planSplits(
  pictures: readonly SplitPicture[],
  nearDuplicates: readonly (readonly string[])[],
  {
    burstSeconds,
    keepsAlike,
    keepsDays,
    keepsSequences,
    keepsVideos,
    isStratified,
    followsTags,
    seed,
    ...ratios
  }: SplitSettings,
): PlannedSplits {
  const timed = pictures.flatMap(({ contentId, source, timeMs }) =>
    timeMs === null ? [] : [{ contentId, source, capturedAtMs: timeMs }],
  );
  // Files copied together share one time: only captures of a camera can be a burst.
  const captured = timed.flatMap(({ source, ...one }) => (source === null ? [] : [{ ...one, source }]));
  const groups = joinGroups(
    pictures.map(({ contentId }) => [contentId]),
    burstSeconds > 0 ? groupBursts(captured, burstSeconds * 1000) : [],
    keepsAlike ? nearDuplicates : [],
    keepsDays ? groupDays(timed) : [],
    keepsSequences ? groupSequences(pictures) : [],
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
      // Pictures without boxes are distributed evenly, too.
      return [contentId, labels.length > 0 ? [...new Set(labels)] : ['']] as const;
    }),
  );
  const splits = splitGroups(
    groups.map((group) =>
      group.map((contentId) => ({ contentId, labels: isStratified ? labelsOf.get(contentId)! : [] })),
    ),
    ratios,
    seed,
    assigned,
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

/** Splits with a share above 0 that got no images. */
export function emptySplits({ counts }: Pick<PlannedSplits, 'counts'>, settings: SplitSettings): readonly Split[] {
  const isAny = splitNames.some((split) => counts[split] > 0);
  return isAny ? splitNames.filter((split) => settings[split] > 0 && counts[split] === 0) : [];
}

/** A change of settings after which no split is empty, with the text of its button. */
export interface SplitMend {
  readonly text: string;
  readonly changes: Partial<SplitSettings>;
}

const mends: readonly SplitMend[] = [
  { text: 'Divide the images of a burst', changes: { burstSeconds: 0 } },
  { text: 'Divide the images of a day', changes: { keepsDays: false } },
  { text: 'Divide the frames of a video', changes: { keepsVideos: false } },
  { text: 'Divide the frames of a sequence', changes: { keepsSequences: false } },
  { text: 'Divide near duplicates', changes: { keepsAlike: false } },
  { text: 'Move images that are tagged train, val or test', changes: { followsTags: false } },
  {
    text: 'Divide all groups',
    changes: {
      burstSeconds: 0,
      keepsDays: false,
      keepsSequences: false,
      keepsVideos: false,
      keepsAlike: false,
      followsTags: false,
    },
  },
];

/** The smallest change that fills the empty splits; null if none is empty, or there are too few images. */
export function mendEmptySplits(
  pictures: readonly SplitPicture[],
  nearDuplicates: readonly (readonly string[])[],
  settings: SplitSettings,
): SplitMend | null {
  const emptyWith = (changes: SplitMend['changes']): number => {
    const changed = { ...settings, ...changes };
    return emptySplits(planSplits(pictures, nearDuplicates, changed), changed).length;
  };
  return emptyWith({}) === 0 ? null : (mends.find(({ changes }) => emptyWith(changes) === 0) ?? null);
}
