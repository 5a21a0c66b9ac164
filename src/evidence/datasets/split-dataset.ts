import { apportion } from './apportion.ts';
import type { Split } from './item/dataset-item.ts';
import { stablePart } from './item/stable-hash.ts';

/** Shares of the splits, each 0 or more. Only their proportions matter. */
export interface SplitRatios {
  readonly train: number;
  readonly val: number;
  readonly test: number;
}

export interface SplitPicture {
  readonly contentId: string;
  /** the labels to stratify by; empty if only the number of pictures matters */
  readonly labels: readonly string[];
}

/** A group of pictures that stay in one split. */
interface Unit {
  readonly ids: readonly string[];
  /** number of its pictures with each label */
  readonly labels: ReadonlyMap<string, number>;
  /** position of the group in the shuffled order, 0..1 */
  readonly part: number;
}

const names: readonly Split[] = ['train', 'val', 'test'];

/**
 * Assigns pictures to splits with exact counts: 40 pictures at 80/10/10 give 32, 4 and 4. Pictures of a group stay
 * together, so with groups the counts are approximate. Each label is divided in the same proportions as far as possible,
 * by iterative stratification (Sechidis et al. 2011): the rarest label first, each group to the split that lacks it most.
 *
 * The same pictures, ratios and seed always give the same splits, in whatever order the pictures are passed; another seed
 * gives another shuffle. Adding pictures can move a few others to another split; pass `assigned` to prevent that.
 *
 * @param assigned earlier splits by content id: these pictures keep their split, and so does the rest of their group
 * @throws RangeError if a share is below 0, or none is above 0
 */
export function splitGroups(
  groups: Iterable<readonly SplitPicture[]>,
  ratios: SplitRatios,
  seed: string,
  assigned: ReadonlyMap<string, Split> = new Map(),
): Map<string, Split> {
  const splits = new Map<string, Split>();
  const units: Unit[] = [];
  const labelCounts = new Map<string, number[]>();
  for (const group of groups) {
    const known = group.map(({ contentId }) => assigned.get(contentId)).find((split) => split !== undefined);
    if (known === undefined && group.length > 0) units.push(unitOf(group, seed));
    else for (const { contentId } of group) splits.set(contentId, assigned.get(contentId) ?? known!);
    for (const { contentId, labels } of group)
      for (const label of labels) {
        const counts = labelCounts.get(label) ?? [0, 0, 0, 0];
        labelCounts.set(label, counts);
        counts[3]! += 1;
        const split = splits.get(contentId);
        if (split) counts[names.indexOf(split)]! += 1;
      }
  }
  const shares = sharesOf(ratios);
  const restCount = units.reduce((sum, { ids }) => sum + ids.length, 0);
  const placedCounts = names.map((name) => [...splits.values()].filter((split) => split === name).length);
  const room = apportion(
    restCount,
    apportion(splits.size + restCount, shares).map((wanted, at) => Math.max(0, wanted - placedCounts[at]!)),
  );
  /** for each label, how many pictures each split still lacks */
  const lacks = new Map<string, number[]>();
  for (const [label, counts] of labelCounts)
    lacks.set(
      label,
      shares.map((share, at) => counts[3]! * share - counts[at]!),
    );

  const put = (unit: Unit, at: number): void => {
    for (const id of unit.ids) splits.set(id, names[at]!);
    room[at]! -= unit.ids.length;
    for (const [label, count] of unit.labels) lacks.get(label)![at]! -= count;
  };
  for (const { label, unit } of byRarestLabel(units)) {
    const wanted = label === null ? room : lacks.get(label)!;
    // Single pictures without a label fill the splits in shuffled order, so that an added picture moves only few others.
    const isAlone = label === null && unit.ids.length === 1;
    put(unit, isAlone ? room.findIndex((free) => free > 0) : placeFor(unit, wanted, room));
  }
  return splits;
}

function unitOf(group: readonly SplitPicture[], seed: string): Unit {
  const labels = new Map<string, number>();
  for (const picture of group) for (const label of picture.labels) labels.set(label, (labels.get(label) ?? 0) + 1);
  const ids = group.map(({ contentId }) => contentId).sort();
  return { ids, labels, part: stablePart(`${seed}\n${ids[0]!}`) };
}

/** The shares, scaled so that they sum to 1. */
function sharesOf({ train, val, test }: SplitRatios): number[] {
  const total = train + val + test;
  if (total > 0 && Math.min(train, val, test) >= 0 && Number.isFinite(total))
    return [train, val, test].map((share) => share / total);
  throw new RangeError(`Splits of ${train}, ${val} and ${test} cannot be made: give shares of 0 or more, one above 0.`);
}

/** Yields every unit once: those with the label that is rarest among the remaining units, largest first; units without a label come last. */
function* byRarestLabel(units: readonly Unit[]): Generator<{ readonly label: string | null; readonly unit: Unit }> {
  const ordered = units.toSorted(
    (a, b) => b.ids.length - a.ids.length || a.part - b.part || (a.ids[0]! < b.ids[0]! ? -1 : 1),
  );
  const byLabel = new Map<string, Set<Unit>>();
  for (const unit of ordered)
    for (const label of unit.labels.keys()) {
      const having = byLabel.get(label) ?? new Set();
      byLabel.set(label, having.add(unit));
    }
  while (byLabel.size > 0) {
    const rarest = [...byLabel].reduce((a, b) =>
      b[1].size < a[1].size || (b[1].size === a[1].size && b[0] < a[0]) ? b : a,
    );
    const [label, having] = rarest;
    byLabel.delete(label);
    for (const unit of having) {
      for (const other of unit.labels.keys()) byLabel.get(other)?.delete(unit);
      yield { label, unit };
    }
  }
  for (const unit of ordered) if (unit.labels.size === 0) yield { label: null, unit };
}

/** The split that wants the unit most, among those with enough room; if there is none, the split with the most room. */
function placeFor({ ids }: Unit, wanted: readonly number[], room: readonly number[]): number {
  const fitting = names.map((_, at) => at).filter((at) => room[at]! >= ids.length);
  if (fitting.length === 0) return room.indexOf(Math.max(...room));
  return fitting.reduce((best, at) => {
    const more = wanted[at]! - wanted[best]!;
    const isMore = Math.abs(more) > 1e-9 ? more > 0 : room[at]! > room[best]!;
    return isMore ? at : best;
  });
}
