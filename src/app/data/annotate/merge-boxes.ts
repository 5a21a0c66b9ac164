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

/** A box that was changed here and elsewhere, differently. null = removed on that side. */
export interface BoxConflict {
  readonly key: string;
  readonly mine: TrackedBox | null;
  readonly theirs: KeptImageBox | null;
}

export interface Merge {
  /** What is known of the service now; of a box in conflict still what it was when both began. */
  readonly kept: readonly KeptBox[];
  /** what others did, to be done to the boxes here */
  readonly changes: readonly BoxChange[];
  readonly conflicts: readonly BoxConflict[];
}

/**
 * Brings together what the service keeps (`service`), what it kept when it was last looked at (`kept`), and the boxes
 * here. What only one side changed is taken from that side; what both changed differently is a conflict, and stays
 * here as it is. `sent` are operations whose answers never came: what they did is our doing. A new box of the service
 * that equals a new one of ours is ours too.
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

/** What is known of the service if an operation reached it, of which nobody heard. */
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
  // Of a replacement the second half may be missing: the box that it replaces goes.
  const replaced = kept.map((one) => (one.key === key ? { ...one, key: `replaced ${one.saved.id}` } : one));
  return [...replaced, { key, saved: arrived }];
}

/** Takes the first of equal value out of the list; of which track it is comes after it, and may be on its way. */
function takeTwin(boxes: KeptImageBox[], mine: TrackedBox): KeptImageBox | null {
  const at = boxes.findIndex((box) => sameBox(box, mine));
  return at < 0 ? null : boxes.splice(at, 1)[0]!;
}

/** What is known of the service once a conflict is decided, whichever way: what it keeps now. */
export function decided(kept: readonly KeptBox[], { key, theirs }: BoxConflict): readonly KeptBox[] {
  const others = kept.filter((one) => one.key !== key);
  return theirs ? [...others, { key, saved: theirs }] : others;
}
