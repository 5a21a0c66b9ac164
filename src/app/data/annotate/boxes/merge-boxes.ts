import {
  isComputed,
  sameBox,
  sameValue,
  valueOf,
  type AnnotatedBox,
  type BoxChange,
  type KeptImageBox,
  type TrackedBox,
} from './annotated-box.ts';
import type { BoxOperation, KeptBox } from './box-operations.ts';

/** A box that was changed differently here and elsewhere. null: removed on that side. */
export interface BoxConflict {
  readonly key: string;
  readonly mine: TrackedBox | null;
  readonly theirs: KeptImageBox | null;
}

export interface Merge {
  /** the service's state now; for a box in conflict, its state before both changes */
  readonly kept: readonly KeptBox[];
  /** others' changes, to be applied here */
  readonly changes: readonly BoxChange[];
  readonly conflicts: readonly BoxConflict[];
}

/**
 * Merges the boxes that the service stores now (`service`), those it stored at the last look (`kept`), and the boxes
 * here. What only one side changed is taken from that side; what both changed differently is a conflict, and stays
 * unchanged here. `sent`: operations without an answer, whose effects count as ours. A new box of the service that
 * equals a new one of ours is the same box.
 */
export function mergeBoxes(
  before: readonly KeptBox[],
  boxes: readonly AnnotatedBox[],
  service: readonly KeptImageBox[],
  sent: readonly BoxOperation[] = [],
): Merge {
  const mineOf = new Map(boxes.filter((box) => !box.predicted && !isComputed(box)).map((box) => [box.key, box]));
  const theirsOf = new Map(service.map((box) => [box.id, box]));
  const known = new Set(before.map(({ saved }) => saved.id));
  const unknown = service.filter(({ id }) => !known.has(id));
  const kept = sent.reduce((now, operation) => ifArrived(now, operation, theirsOf, unknown), before);
  const nowKept: KeptBox[] = [];
  const changes: BoxChange[] = [];
  const conflicts: BoxConflict[] = [];

  for (const { key, saved } of kept) {
    const mine = mineOf.get(key) ?? null;
    const theirs = theirsOf.get(saved.id) ?? null;
    if (sameValue(theirs, saved) || sameValue(mine, theirs)) {
      if (theirs) nowKept.push({ key, saved: theirs });
    } else if (sameValue(mine, saved)) {
      if (theirs) nowKept.push({ key, saved: theirs });
      changes.push({ key, box: theirs && { ...valueOf(theirs), key, predicted: false } });
    } else {
      nowKept.push({ key, saved });
      conflicts.push({ key, mine: mine && valueOf(mine), theirs });
    }
  }

  const keptKeys = new Set(kept.map(({ key }) => key));
  for (const [key, mine] of mineOf) {
    const twin = keptKeys.has(key) ? null : takeTwin(unknown, mine);
    if (twin) nowKept.push({ key, saved: twin });
  }
  for (const saved of unknown) {
    nowKept.push({ key: saved.id, saved });
    changes.push({ key: saved.id, box: { ...valueOf(saved), key: saved.id, predicted: false } });
  }
  return { kept: nowKept, changes, conflicts };
}

/** The service's state if an operation arrived although its answer was lost. */
function ifArrived(
  kept: readonly KeptBox[],
  operation: BoxOperation,
  theirsOf: ReadonlyMap<string, KeptImageBox>,
  unknown: KeptImageBox[],
): readonly KeptBox[] {
  const { key, kind } = operation;
  const others = kept.filter((one) => one.key !== key);
  if (kind === 'remove') return theirsOf.has(operation.id) ? kept : others;
  if (kind === 'update') {
    const theirs = theirsOf.get(operation.id);
    return theirs && sameValue(theirs, operation.box) ? [...others, { key, saved: theirs }] : kept;
  }
  const arrived = takeTwin(unknown, operation.box);
  if (!arrived) return kept;
  // The second half of a replacement may be missing: the replaced box is to be removed.
  const replaced = kept.map((one) => (one.key === key ? { ...one, key: `replaced ${one.saved.id}` } : one));
  return [...replaced, { key, saved: arrived }];
}

/**
 * Removes the first box of equal value from the list and returns it; its track is stored later, so it may still be
 * missing.
 */
function takeTwin(boxes: KeptImageBox[], mine: TrackedBox): KeptImageBox | null {
  const at = boxes.findIndex((box) => sameBox(box, mine));
  return at < 0 ? null : boxes.splice(at, 1)[0]!;
}

/** The service's state after a conflict was decided, for either side: what it stores now. */
export function decided(kept: readonly KeptBox[], { key, theirs }: BoxConflict): readonly KeptBox[] {
  const others = kept.filter((one) => one.key !== key);
  return theirs ? [...others, { key, saved: theirs }] : others;
}
