import { PrecisionCurve } from '../coco/precision-curve.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import type { LabelMatches } from '../match/match-boxes.ts';
import { byScore } from './confusion-matrix.ts';
import { bestOverlap, rowsByImage } from './overlaps-in-image.ts';
import { settleBoxes } from './settle-boxes.ts';

/** Kinds of error, as TIDE tells them apart. */
export type ErrorKind = 'class' | 'place' | 'both' | 'twice' | 'background' | 'missed';

export const errorKinds: readonly ErrorKind[] = ['class', 'place', 'both', 'twice', 'background', 'missed'];

export interface BoxError {
  readonly kind: ErrorKind;
  /** -1: missed truth */
  readonly detectionRow: number;
  /** the truth that was meant; -1: none */
  readonly truthRow: number;
}

export interface ErrorKinds {
  readonly errors: readonly BoxError[];
  /**
   * By kind: how many, and by how much the mean AP at IoU 0.5 would rise were this kind alone mended. The parts do not
   * sum to what AP lacks. Null: there is no truth.
   */
  readonly kinds: Readonly<Record<ErrorKind, { readonly count: number; readonly gain: number | null }>>;
}

const backgroundBelow = 0.1;
const foundFrom = 0.5;

/**
 * Tells errors apart at IoU 0.5, by TIDE's rules (its code, 1.0.1). A false result is, by the first that applies: *place*:
 * the truth of its label that it overlaps most, found or not, it overlaps by 0.1 to 0.5; *class*: it overlaps truth of
 * another label by 0.5 or more; *twice*: truth of its label that a better result found; *background*: nothing by more than
 * 0.1; else *both*. *Missed* is truth that nothing found and that no error of class or place means. Mended, an error of
 * class or place finds the truth that it means, if nothing found that and no surer error of these two kinds means it, and
 * goes away otherwise; results of the other kinds go away; missed truth is not counted.
 *
 * On purpose it differs in two rules: AP is COCO's, without labels that have no truth (TIDE counts them as 0) and with
 * COCO's recall points; and ignored results are no errors.
 *
 * @param truth what is there
 * @param detections what was found
 * @param space how many images and which labels
 * @param matches of `matchBoxes` with IoU 0.5 first
 * @param thresholds the lowest score that is kept, by label number; default: all are kept
 * @returns every error, and each kind's number and weight
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const space = { imageCount: 1, labels: ['cup'] };
 * const matches = matchBoxes(truth.build(), found.build(), space);
 * errorsByKind(truth.build(), found.build(), space, matches).kinds.background.count; // => 1
 */
export function errorsByKind(
  truth: TruthSet,
  detections: DetectionSet,
  { labels }: EvaluationSpace,
  matches: readonly LabelMatches[],
  thresholds: ArrayLike<number> = new Float64Array(labels.length).fill(-Infinity),
): ErrorKinds {
  const { foundBy, falseRows, missedRows } = settleBoxes(matches, truth, thresholds);
  const isMissed = new Set(missedRows);
  const counted = Array.from(foundBy.keys()).filter((row) => foundBy[row]! >= 0 || isMissed.has(row));
  const truthOfImage = rowsByImage(truth, counted);
  const errors: BoxError[] = [];
  for (const detectionRow of byScore(detections, falseRows)) {
    const candidates = truthOfImage.get(detections.image[detectionRow]!) ?? [];
    const best = (isWanted: (row: number) => boolean) =>
      bestOverlap(detections, detectionRow, truth, candidates, isWanted);
    const isOwn = (row: number): boolean => truth.label[row] === detections.label[detectionRow];
    const place = best(isOwn);
    const other = best((row) => !isOwn(row));
    const twice = best((row) => isOwn(row) && foundBy[row]! >= 0);
    const any = best(() => true);
    if (place.overlap >= backgroundBelow && place.overlap <= foundFrom)
      errors.push({ kind: 'place', detectionRow, truthRow: place.row });
    else if (other.overlap >= foundFrom) errors.push({ kind: 'class', detectionRow, truthRow: other.row });
    else if (twice.overlap >= foundFrom) errors.push({ kind: 'twice', detectionRow, truthRow: twice.row });
    else if (any.overlap <= backgroundBelow) errors.push({ kind: 'background', detectionRow, truthRow: -1 });
    else errors.push({ kind: 'both', detectionRow, truthRow: any.row });
  }
  // Errors come down the scores: the first one that means a truth is the surest.
  const meantBy = new Map<number, number>();
  for (const { kind, truthRow, detectionRow } of errors) {
    const isMeant = (kind === 'class' || kind === 'place') && isMissed.has(truthRow);
    if (isMeant && !meantBy.has(truthRow)) meantBy.set(truthRow, detectionRow);
  }
  for (const truthRow of missedRows)
    if (!meantBy.has(truthRow)) errors.push({ kind: 'missed', detectionRow: -1, truthRow });

  const found = new Map<number, number>();
  for (const [truthRow, detectionRow] of foundBy.entries()) if (detectionRow >= 0) found.set(detectionRow, truthRow);
  const measure = (mended: ErrorKind | null): number | null =>
    meanPrecision({ truth, detections, matches, errors, meantBy, found, mended });
  const before = measure(null);
  const kinds = Object.fromEntries(
    errorKinds.map((kind) => {
      const count = errors.filter((error) => error.kind === kind).length;
      const after = count === 0 ? before : measure(kind);
      return [kind, { count, gain: before === null ? null : (after ?? 1) - before }];
    }),
  ) as unknown as ErrorKinds['kinds'];
  return { errors, kinds };
}

interface Mending {
  readonly truth: TruthSet;
  readonly detections: DetectionSet;
  readonly matches: readonly LabelMatches[];
  readonly errors: readonly BoxError[];
  /** for truth that nothing found: the surest result that means it */
  readonly meantBy: ReadonlyMap<number, number>;
  /** truth row by result row */
  readonly found: ReadonlyMap<number, number>;
  readonly mended: ErrorKind | null;
}

/** Mean average precision at IoU 0.5 with one kind of error mended. */
function meanPrecision({ truth, detections, matches, errors, meantBy, found, mended }: Mending): number | null {
  const rowsOfLabel = matches.map((): { readonly row: number; readonly isTrue: boolean }[] => []);
  for (const [row] of found) rowsOfLabel[detections.label[row]!]!.push({ row, isTrue: true });
  const truthCounts = matches.map(({ truthCounts: [count] }) => count!);
  for (const { kind, detectionRow, truthRow } of errors) {
    if (kind === 'missed') {
      if (mended === 'missed') truthCounts[truth.label[truthRow]!]!--;
    } else if (kind !== mended) {
      rowsOfLabel[detections.label[detectionRow]!]!.push({ row: detectionRow, isTrue: false });
    } else if ((kind === 'class' || kind === 'place') && meantBy.get(truthRow) === detectionRow) {
      rowsOfLabel[truth.label[truthRow]!]!.push({ row: detectionRow, isTrue: true });
    }
  }
  const curve = new PrecisionCurve();
  let [sum, count] = [0, 0];
  for (const [label, rows] of rowsOfLabel.entries()) {
    const truthCount = truthCounts[label]!;
    if (truthCount === 0 && (matches[label]!.truthCounts[0] === 0 || rows.length === 0)) continue;
    count++;
    if (truthCount === 0) continue;
    const place = new Map(Array.from(matches[label]!.row, (row, at) => [row, at]));
    const order = (row: number): number => place.get(row) ?? Infinity;
    rows.sort(
      (a, b) => detections.score[b.row]! - detections.score[a.row]! || order(a.row) - order(b.row) || a.row - b.row,
    );
    curve.read(
      Uint32Array.from(rows, ({ isTrue }) => (isTrue ? 1 : 0)),
      0,
      truthCount,
    );
    sum += curve.mean();
  }
  return count === 0 ? null : sum / count;
}
