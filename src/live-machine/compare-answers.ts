import type { Classification, Detection } from '../vision/detections.ts';
import type { FrameAnswer } from './live-machine.ts';

export type AnswerVerdict =
  /** every label, box, score and their order */
  | 'equal'
  /** labels, whole-pixel boxes and order; scores by so much */
  | 'scores-differ'
  | 'differs';

/** One row that both, or only one, has; what is null is not there. */
export interface RowDifference {
  readonly what: 'only-here' | 'only-there' | 'label' | 'box' | 'order';
  readonly here: Detection | Classification | null;
  readonly there: Detection | Classification | null;
}

export interface AnswerComparison {
  readonly verdict: AnswerVerdict;
  /** of rows that are the same otherwise */
  readonly largestScoreDifference: number;
  /** empty unless the verdict is "differs" */
  readonly differences: readonly RowDifference[];
  /** rows that were compared on either side, whichever has more */
  readonly rows: number;
}

/** What we say of a frame beside what the machine says of the same bytes. */
export function compareAnswers(here: FrameAnswer, there: FrameAnswer): AnswerComparison {
  return joined(
    compareRows(here.detections ?? [], there.detections ?? [], sameBox),
    compareRows(here.classifications ?? [], there.classifications ?? [], () => true),
  );
}

type Row = Detection | Classification;

function compareRows<R extends Row>(
  here: readonly R[],
  there: readonly R[],
  isSamePlace: (a: R, b: R) => boolean,
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
  return { verdict: 'differs', rows, ...pairUp(here, there, isSame, isSamePlace) };
}

/**
 * Pairs the rows of both sides: the same ones first, then those of the same place, then those of the same label; what is
 * left has no partner.
 */
function pairUp<R extends Row>(
  here: readonly R[],
  there: readonly R[],
  isSame: (a: R, b: R) => boolean,
  isSamePlace: (a: R, b: R) => boolean,
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
  const same = [...partners].map(([at, partner]) => ({ row: here[at]!, other: there[partner]!, partner }));
  pair((a, b) => 'xMin' in a && isSamePlace(a, b)); // classes have no place
  pair((a, b) => a.label === b.label);

  const differences: RowDifference[] = [];
  for (const [at, row] of here.entries()) {
    const partner = partners.get(at);
    const other = partner === undefined ? null : there[partner]!;
    if (!other) differences.push({ what: 'only-here', here: row, there: null });
    else if (row.label !== other.label) differences.push({ what: 'label', here: row, there: other });
    else if (!isSamePlace(row, other)) differences.push({ what: 'box', here: row, there: other });
  }
  for (const [at, row] of there.entries()) {
    if (!taken.has(at)) differences.push({ what: 'only-there', here: null, there: row });
  }
  let last = -1;
  for (const { row, other, partner } of same) {
    if (partner < last) differences.push({ what: 'order', here: row, there: other });
    else last = partner;
  }
  const largest = Math.max(0, ...same.map(({ row, other }) => scoreDifference(row.score, other.score)));
  return { differences, largestScoreDifference: largest };
}

function sameBox(a: Detection, b: Detection): boolean {
  return a.xMin === b.xMin && a.yMin === b.yMin && a.xMax === b.xMax && a.yMax === b.yMax;
}

/** NaN is as NaN was; beside a number it is another score altogether. */
function scoreDifference(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  const difference = Math.abs(a - b);
  return Number.isNaN(difference) ? Infinity : difference;
}

function joined(a: AnswerComparison, b: AnswerComparison): AnswerComparison {
  const worst: readonly AnswerVerdict[] = ['equal', 'scores-differ', 'differs'];
  return {
    verdict: worst[Math.max(worst.indexOf(a.verdict), worst.indexOf(b.verdict))]!,
    largestScoreDifference: Math.max(a.largestScoreDifference, b.largestScoreDifference),
    differences: [...a.differences, ...b.differences],
    rows: a.rows + b.rows,
  };
}
