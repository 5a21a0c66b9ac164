import { apportion } from './apportion.ts';
import type { Split } from './dataset-item.ts';
import { stablePart } from './stable-hash.ts';

/** Shares of the splits, 0 or more; only their proportions count. */
export interface SplitRatios {
  readonly train: number;
  readonly val: number;
  readonly test: number;
}

export interface SplitPicture {
  readonly contentId: string;
  /** each label that is to have its share in every split; empty for a picture that only counts */
  readonly labels: readonly string[];
}

/** Pictures that go together. */
interface Unit {
  readonly ids: readonly string[];
  /** how many of its pictures have each label */
  readonly labels: ReadonlyMap<string, number>;
  /** where it stands when the dataset is shuffled: 0..1 */
  readonly part: number;
}

const names: readonly Split[] = ['train', 'val', 'test'];

/**
 * Splits pictures to the picture: 40 at 80/10/10 are 32, 4 and 4. Those of a group stay together, so groups meet the
 * shares as near as they fit; each label has its share in every split as far as its pictures allow (iterative
 * stratification: the rarest label first, each time to the split that lacks it most; Sechidis et al. 2011).
 *
 * The same pictures, ratios and seed give the same splits, whatever their order; another seed shuffles anew. Pictures
 * that come later move the few at the borders, so who wants none moved says where they were.
 *
 * @param assigned splits of an earlier time by content id: these pictures stay there, and what goes with them goes there
 * @throws RangeError for shares below 0, or none above it
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
  /** how many pictures with a label each split still lacks */
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
    // What has no label fills up in the order of the shuffle: then few move when a picture comes.
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

/** Each of the splits as a part of one. */
function sharesOf({ train, val, test }: SplitRatios): number[] {
  const total = train + val + test;
  if (total > 0 && Math.min(train, val, test) >= 0 && Number.isFinite(total))
    return [train, val, test].map((share) => share / total);
  throw new RangeError(`Splits of ${train}, ${val} and ${test} cannot be made: give shares of 0 or more, one above 0.`);
}

/** Every unit once: those of the rarest label among the rest, large ones first; at last those without a label. */
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

/** Among the splits with room for it the one that wants it most; where it fits nowhere, the one with most room. */
function placeFor({ ids }: Unit, wanted: readonly number[], room: readonly number[]): number {
  const fitting = names.map((_, at) => at).filter((at) => room[at]! >= ids.length);
  if (fitting.length === 0) return room.indexOf(Math.max(...room));
  return fitting.reduce((best, at) => {
    const more = wanted[at]! - wanted[best]!;
    const isMore = Math.abs(more) > 1e-9 ? more > 0 : room[at]! > room[best]!;
    return isMore ? at : best;
  });
}
