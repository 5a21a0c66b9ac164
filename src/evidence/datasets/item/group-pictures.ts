import { sequenceOf } from './sequences.ts';

/** The fields of a captured picture that grouping by time needs. */
export interface TimedCapture {
  readonly contentId: string;
  /** the source, such as part and component: captures of two cameras are never one burst */
  readonly source: string;
  readonly capturedAtMs: number;
}

/** Groups captures of one source into bursts: each capture is at most `gapMs` later than the one before. */
export function groupBursts(captures: readonly TimedCapture[], gapMs: number): string[][] {
  const ordered = captures.toSorted(
    (a, b) => compare(a.source, b.source) || a.capturedAtMs - b.capturedAtMs || compare(a.contentId, b.contentId),
  );
  const groups: string[][] = [];
  for (const [i, capture] of ordered.entries()) {
    const before = ordered[i - 1];
    const joins = before?.source === capture.source && capture.capturedAtMs - before.capturedAtMs <= gapMs;
    if (joins) groups.at(-1)!.push(capture.contentId);
    else groups.push([capture.contentId]);
  }
  return groups;
}

/** Groups captures of all sources by day, in the local time zone. */
export function groupDays(captures: readonly Pick<TimedCapture, 'contentId' | 'capturedAtMs'>[]): string[][] {
  return groupBy(captures, ({ capturedAtMs }) => new Date(capturedAtMs).toDateString());
}

interface NamedPicture {
  readonly contentId: string;
  readonly fileName: string;
  readonly tags: readonly string[];
}

/** Groups pictures by the sequence that their tags name. */
export function groupSequences(pictures: readonly Omit<NamedPicture, 'fileName'>[]): string[][] {
  return groupBy(pictures, ({ tags }) => sequenceOf(tags));
}

/** Groups pictures without a sequence whose names differ only in the last number, as extracted video frames are named. */
export function groupVideos(pictures: readonly NamedPicture[]): string[][] {
  return groupBy(pictures, ({ fileName, tags }) => {
    if (sequenceOf(tags) !== null) return null;
    const stem = fileName.toLowerCase().replace(/\.[a-z0-9]{1,5}$/, '');
    return /^(.*[^\d\s._-].*?)\d+$/.exec(stem)?.[1] ?? null;
  });
}

/** Groups content ids by key; pictures without a key are in no group. */
function groupBy<T extends { readonly contentId: string }>(
  pictures: readonly T[],
  keyOf: (picture: T) => string | null,
): string[][] {
  const groups = new Map<string, string[]>();
  for (const picture of pictures) {
    const key = keyOf(picture);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(picture.contentId);
    else groups.set(key, [picture.contentId]);
  }
  return [...groups.values()];
}

/** Merges groupings: pictures that share a group in any of them share a group in the result. Groups are in order of first occurrence. */
export function joinGroups(...groupings: readonly (readonly (readonly string[])[])[]): string[][] {
  const sets = new DisjointSets<string>();
  for (const group of groupings.flat()) {
    const [first] = group;
    for (const contentId of group) sets.join(first!, contentId);
  }
  return sets.groups();
}

/** Disjoint sets (union–find with path halving). */
export class DisjointSets<T> {
  readonly #parents = new Map<T, T>();

  join(a: T, b: T): void {
    const [rootA, rootB] = [this.#rootOf(a), this.#rootOf(b)];
    if (rootA !== rootB) this.#parents.set(rootB, rootA);
  }

  groups(): T[][] {
    const groups = new Map<T, T[]>();
    for (const member of this.#parents.keys()) {
      const root = this.#rootOf(member);
      const group = groups.get(root);
      if (group) group.push(member);
      else groups.set(root, [member]);
    }
    return [...groups.values()];
  }

  #rootOf(member: T): T {
    let at = member;
    for (;;) {
      const parent = this.#parents.get(at);
      if (parent === undefined) this.#parents.set(at, at);
      if (parent === undefined || parent === at) return at;
      const grandparent = this.#parents.get(parent)!;
      this.#parents.set(at, grandparent);
      at = grandparent;
    }
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
