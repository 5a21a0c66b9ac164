import type { DetectionSet } from '../evaluation.ts';
import { boxOverlap } from '../match/box-overlap.ts';
import { rowsByImage } from '../sweep/overlaps-in-image.ts';

export interface ChangedBox {
  readonly kind: 'vanished' | 'appeared' | 'relabelled' | 'moved';
  readonly image: number;
  /** row in the first set; -1: it is in the second alone */
  readonly first: number;
  /** row in the second set; -1: it is in the first alone */
  readonly second: number;
  /** how far the edge moved that moved most; 0 where there is but one */
  readonly movedPx: number;
}

export interface DetectionChanges {
  readonly counts: Readonly<Record<ChangedBox['kind'] | 'same', number>>;
  /** image by image, what is the same left out */
  readonly changes: readonly ChangedBox[];
}

export interface CompareOptions {
  /** the lowest score that is kept, by label number; default: all are */
  readonly firstThresholds?: ArrayLike<number>;
  readonly secondThresholds?: ArrayLike<number>;
  /** overlap from which two boxes are the same thing; default: 0.5 */
  readonly iou?: number;
  /** an edge that moved further makes a box moved; default: 2 */
  readonly movedMoreThanPx?: number;
}

/**
 * What becomes of the boxes of one set in another, without truth. In each image boxes of one label are paired first,
 * those that overlap most before the others, then what is left across labels; what has no pair vanished or appeared.
 *
 * @param first such as what is in force
 * @param second such as what would be; images and labels are numbered alike
 * @param options thresholds, overlap, distance
 * @returns counts, and every change
 * @example
 * import { DetectionSetBuilder } from '../build-sets.ts';
 * const float = new DetectionSetBuilder();
 * float.add(0, 0, [0, 0, 10, 10], 0.9);
 * const int8 = new DetectionSetBuilder();
 * compareDetections(float.build(), int8.build()).counts.vanished; // => 1
 */
export function compareDetections(
  first: DetectionSet,
  second: DetectionSet,
  { firstThresholds = [], secondThresholds = [], iou = 0.5, movedMoreThanPx = 2 }: CompareOptions = {},
): DetectionChanges {
  const firstRows = rowsByImage(first, keptRows(first, firstThresholds));
  const secondRows = rowsByImage(second, keptRows(second, secondThresholds));
  const changes: ChangedBox[] = [];
  let same = 0;
  const images = [...new Set([...firstRows.keys(), ...secondRows.keys()])].sort((a, b) => a - b);
  for (const image of images) {
    const [ours, theirs] = [new Set(firstRows.get(image)), new Set(secondRows.get(image))];
    for (const across of [false, true]) {
      const pairs = [...ours].flatMap((a) =>
        [...theirs]
          .filter((b) => across || first.label[a] === second.label[b])
          .map((b) => ({ a, b, movedPx: movedBy(first, a, second, b), overlap: overlapOf(first, a, second, b) }))
          .filter(({ overlap }) => overlap >= iou),
      );
      pairs.sort((x, y) => y.overlap - x.overlap || x.a - y.a || x.b - y.b);
      for (const { a, b, movedPx } of pairs) {
        if (!ours.has(a) || !theirs.has(b)) continue;
        ours.delete(a);
        theirs.delete(b);
        if (across) changes.push({ kind: 'relabelled', image, first: a, second: b, movedPx });
        else if (movedPx > movedMoreThanPx) changes.push({ kind: 'moved', image, first: a, second: b, movedPx });
        else same++;
      }
    }
    for (const a of ours) changes.push({ kind: 'vanished', image, first: a, second: -1, movedPx: 0 });
    for (const b of theirs) changes.push({ kind: 'appeared', image, first: -1, second: b, movedPx: 0 });
  }
  const count = (kind: ChangedBox['kind']): number => changes.filter((change) => change.kind === kind).length;
  const counts = {
    same,
    moved: count('moved'),
    relabelled: count('relabelled'),
    vanished: count('vanished'),
    appeared: count('appeared'),
  };
  return { counts, changes };
}

/**
 * Lists the rows whose score reaches the threshold of their label.
 * @param set detections of many images
 * @param thresholds the lowest score that is kept, by label; a label without one keeps every row
 * @returns numbers of rows, rising
 * @example
 * import { DetectionSetBuilder } from '../build-sets.ts';
 * const set = new DetectionSetBuilder();
 * set.add(0, 0, [0, 0, 10, 10], 0.4);
 * keptRows(set.build(), [0.5]); // => []
 */
export function keptRows({ count, label, score }: DetectionSet, thresholds: ArrayLike<number>): number[] {
  return Array.from({ length: count }, (_, row) => row).filter((row) => {
    const threshold = thresholds[label[row]!] ?? -Infinity;
    return threshold === -Infinity || score[row]! - threshold >= 0;
  });
}

/** A box that is no larger than a line overlaps nothing, but is still the same where it lies in the same place. */
function overlapOf(first: DetectionSet, a: number, second: DetectionSet, b: number): number {
  return movedBy(first, a, second, b) === 0 ? 1 : boxOverlap(first.box, a, second.box, b, false);
}

function movedBy(first: DetectionSet, a: number, second: DetectionSet, b: number): number {
  const [ax, ay, aw, ah] = first.box.subarray(4 * a, 4 * a + 4);
  const [bx, by, bw, bh] = second.box.subarray(4 * b, 4 * b + 4);
  return Math.max(
    Math.abs(ax! - bx!),
    Math.abs(ay! - by!),
    Math.abs(ax! + aw! - bx! - bw!),
    Math.abs(ay! + ah! - by! - bh!),
  );
}
