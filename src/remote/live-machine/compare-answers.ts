import type { Classification, Detection } from '../../machine/vision/face/results.ts';
import type { FrameAnswer } from './live-machine.ts';

export type AnswerVerdict =
  /** every label, box, score and their order */
  | 'equal'
  /** labels, whole-pixel boxes and order; scores by so much */
  | 'scores-differ'
  /** but for what two runtimes round apart: an edge by a pixel, or the order of rows whose scores are all but equal */
  | 'rounding'
  | 'differs';

/** One row that both, or only one, has; what is null is not there. */
export interface RowDifference {
  readonly what: 'only-here' | 'only-there' | 'label' | 'box' | 'order';
  readonly here: Detection | Classification | null;
  readonly there: Detection | Classification | null;
  /** Two runtimes that round the last digits of the same numbers give as much. */
  readonly isRounding: boolean;
}

/** Scores of the same model on two runtimes of float32 differ by less. */
const sameNumbersTolerance = 1e-5;
/** Rows whose scores are closer than this may come in either order. */
const sameRankTolerance = 1e-6;

/** Scores of one model differ by less, whichever provider runs it; more is another model, provider or precision. */
export const sameModelTolerance = 1e-3;

export interface AnswerComparison {
  readonly verdict: AnswerVerdict;
  /** largest difference between the scores of rows that are the same otherwise */
  readonly largestScoreDifference: number;
  /** empty unless the verdict is "differs" or "rounding" */
  readonly differences: readonly RowDifference[];
  /** rows that were compared on either side, whichever has more */
  readonly rows: number;
}

/** Whether more differs than two runtimes of one model make. */
export const isTelling = ({ verdict, largestScoreDifference }: AnswerComparison): boolean =>
  verdict === 'differs' || largestScoreDifference > sameModelTolerance;

/** What we say of a frame beside what the machine says of the same bytes. */
export function compareAnswers(here: FrameAnswer, there: FrameAnswer): AnswerComparison {
  return joined(
    compareRows(here.detections ?? [], there.detections ?? [], sameBox, boxWithinPixel),
    compareRows(
      here.classifications ?? [],
      there.classifications ?? [],
      () => true,
      () => true,
    ),
  );
}

type Row = Detection | Classification;

function compareRows<R extends Row>(
  here: readonly R[],
  there: readonly R[],
  isSamePlace: (a: R, b: R) => boolean,
  isNearPlace: (a: R, b: R) => boolean,
): AnswerComparison {
  const isSame = (a: R, b: R): boolean => a.label === b.label && isSamePlace(a, b);
  const rows = Math.max(here.length, there.length);
  if (here.length === there.length && here.every((row, at) => isSame(row, there[at]!))) {
    const largest = Math.max(0, ...here.map(({ score }, at) => scoreDifference(score, there[at]!.score)));
    return {
      verdict: largest === 0 ? 'equal' : 'scores-differ',
      largestScoreDifference: largest,
      differences: [],
      rows,
    };
  }
  const isNear = (a: R, b: R): boolean =>
    a.label === b.label && isNearPlace(a, b) && scoreDifference(a.score, b.score) <= sameNumbersTolerance;
  const paired = pairUp(here, there, { isSame, isNear, isSamePlace });
  const isRounding =
    paired.differences.every((difference) => difference.isRounding) &&
    paired.largestScoreDifference <= sameNumbersTolerance;
  return { verdict: isRounding ? 'rounding' : 'differs', rows, ...paired };
}

interface Likeness<R> {
  readonly isSame: (a: R, b: R) => boolean;
  /** the same but for rounding */
  readonly isNear: (a: R, b: R) => boolean;
  readonly isSamePlace: (a: R, b: R) => boolean;
}

/**
 * Pairs the rows of both sides: the same ones first, then those that rounding moved, then those of the same place, then those of the
 * same label; what is left has no partner.
 */
function pairUp<R extends Row>(
  here: readonly R[],
  there: readonly R[],
  { isSame, isNear, isSamePlace }: Likeness<R>,
): Pick<AnswerComparison, 'differences' | 'largestScoreDifference'> {
  /** index there, by index here */
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  const pair = (fits: (a: R, b: R) => boolean): void => {
    for (const [at, row] of here.entries()) {
      if (partners.has(at)) continue;
      const partner = there.findIndex((other, index) => !taken.has(index) && fits(row, other));
      if (partner < 0) continue;
      partners.set(at, partner);
      taken.add(partner);
    }
  };
  pair(isSame);
  pair(isNear);
  const same = [...partners]
    .sort(([a], [b]) => a - b)
    .map(([at, partner]) => ({ row: here[at]!, other: there[partner]!, partner }));
  pair((a, b) => 'xMin' in a && isSamePlace(a, b)); // classes have no place
  pair((a, b) => a.label === b.label);

  const differences: RowDifference[] = [];
  for (const [at, row] of here.entries()) {
    const partner = partners.get(at);
    const other = partner === undefined ? null : there[partner]!;
    const isRounding = other !== null && isNear(row, other);
    if (!other) differences.push({ what: 'only-here', here: row, there: null, isRounding });
    else if (row.label !== other.label) differences.push({ what: 'label', here: row, there: other, isRounding });
    else if (!isSamePlace(row, other)) differences.push({ what: 'box', here: row, there: other, isRounding });
  }
  for (const [at, row] of there.entries()) {
    if (!taken.has(at)) differences.push({ what: 'only-there', here: null, there: row, isRounding: false });
  }
  let last = -1;
  for (const [at, { row, other, partner }] of same.entries()) {
    if (partner >= last) {
      last = partner;
      continue;
    }
    const isRounding = same
      .slice(0, at)
      .filter((earlier) => earlier.partner > partner)
      .every(
        (earlier) =>
          scoreDifference(earlier.row.score, row.score) <= sameRankTolerance &&
          scoreDifference(earlier.other.score, other.score) <= sameRankTolerance,
      );
    differences.push({ what: 'order', here: row, there: other, isRounding });
  }
  const largest = Math.max(0, ...same.map(({ row, other }) => scoreDifference(row.score, other.score)));
  return { differences, largestScoreDifference: largest };
}

function sameBox(a: Detection, b: Detection): boolean {
  return a.xMin === b.xMin && a.yMin === b.yMin && a.xMax === b.xMax && a.yMax === b.yMax;
}

function boxWithinPixel(a: Detection, b: Detection): boolean {
  return (['xMin', 'yMin', 'xMax', 'yMax'] as const).every((edge) => Math.abs(a[edge] - b[edge]) <= 1);
}

/** NaN is as NaN was; beside a number it is another score altogether. */
function scoreDifference(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  const difference = Math.abs(a - b);
  return Number.isNaN(difference) ? Infinity : difference;
}

function joined(a: AnswerComparison, b: AnswerComparison): AnswerComparison {
  const worst: readonly AnswerVerdict[] = ['equal', 'scores-differ', 'rounding', 'differs'];
  return {
    verdict: worst[Math.max(worst.indexOf(a.verdict), worst.indexOf(b.verdict))]!,
    largestScoreDifference: Math.max(a.largestScoreDifference, b.largestScoreDifference),
    differences: [...a.differences, ...b.differences],
    rows: a.rows + b.rows,
  };
}
