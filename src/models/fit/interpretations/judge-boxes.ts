import type { BoxRows } from './box-rows.ts';
import { distinctRows } from './distinct-rows.ts';
import { share, verdictOf, type Verdict } from './verdict.ts';

/** Below it, a score is noise of a model that sees nothing. */
const leastScore = 0.05;
const mostRows = 1000;
const mostSampled = 50_000;

/**
 * Judges boxes by what only a wrong interpretation gives: boxes outside the frame, inverted, without area, all of one
 * size, all in a corner, one class everywhere, scores that say nothing.
 * @param rows boxes of a frame
 * @param labelOf the name of a category that a person sees
 * @returns plausible, doubtful or refused, with what was seen, in sentences
 * @example
 * const none = { count: 0, score: new Float64Array(), category: new Float64Array(), box: new Float64Array() };
 * judgeBoxes(none).seen; // => ['The model returned no boxes for this frame, so nothing can be said of them.']
 */
export function judgeBoxes(rows: BoxRows, labelOf: (category: number) => string = String): Verdict {
  if (rows.count === 0)
    return verdictOf([], ['The model returned no boxes for this frame, so nothing can be said of them.']);
  const largest = rows.score.reduce((most, score) => Math.max(most, score), -Infinity);
  const confident = rowsAbove(rows, Math.max(leastScore, largest / 2));
  const looked = confident.length > 0 ? confident : rowsAbove(rows, -Infinity);
  const distinct = distinctRows(rows, Math.max(leastScore, largest / 2));
  return verdictOf(
    [
      saysNoNumbers(rows),
      backgroundEverywhere(rows, labelOf),
      outside(rows, looked),
      inverted(rows, looked),
      withoutArea(rows, looked),
      oneSize(rows, distinct),
      inACorner(rows, distinct),
      scoresAbove(rows, largest),
      oneScore(rows),
    ],
    [
      largest < leastScore &&
        `No score passes ${leastScore} on this frame: the largest of ${rows.count.toLocaleString('en')} is ${figure(largest)}.`,
      oneClass(rows, labelOf),
    ],
    [lostScores(rows), notSuppressed(rows)],
  );
}

function saysNoNumbers({ score, box }: BoxRows): string | false {
  const bad = score.filter((value) => Number.isNaN(value)).length + box.filter((value) => Number.isNaN(value)).length;
  return bad > 0 && bad > (score.length + box.length) / 2 && 'Most of the numbers are not numbers (NaN).';
}

/** Scores of classes where the first means "nothing": it wins nearly everywhere, and surely. */
function backgroundEverywhere({ count, classCount, category, score }: BoxRows, labelOf: (category: number) => string) {
  if (classCount === null || count < 20) return false;
  let first = 0;
  for (let row = 0; row < count; row++) if (category[row] === 0 && score[row]! > 0.5) first++;
  return (
    first > 0.8 * count &&
    `${share(first, count, 'boxes')} are “${labelOf(0)}” with a score above 0.5: class 0 of this model means background, “nothing here”.`
  );
}

function outside({ box, space, firstBoxSum }: BoxRows, rows: readonly number[]): string | false {
  const far = (value: number) => value < -0.25 || value > 1.25;
  const out = rows.filter((row) => [0, 1, 2, 3].some((at) => far(box[4 * row + at]!))).length;
  if (out <= rows.length / 2) return false;
  const because =
    space === 'proportional'
      ? ` They were read as parts of the frame, because the numbers of the first box add up to ${figure(firstBoxSum)}, below 4.`
      : ' They were read as pixels of the model’s input.';
  return `${share(out, rows.length, 'boxes')} reach far outside the frame.${because}`;
}

/** All of them turned round is an order that names max before min, which is harmless; some of them is another order. */
function inverted({ box }: BoxRows, rows: readonly number[]): string | false {
  if (rows.length < 2) return false;
  for (const [axis, [low, high]] of [
    ['left', 'right'],
    ['upper', 'lower'],
  ].entries()) {
    const turned = rows.filter((row) => box[4 * row + axis]! > box[4 * row + axis + 2]!).length;
    if (turned > 0.1 * rows.length && turned < 0.9 * rows.length)
      return `In ${share(turned, rows.length, 'boxes')} the ${low} and ${high} edges stand the wrong way round.`;
  }
  return false;
}

function withoutArea({ box }: BoxRows, rows: readonly number[]): string | false {
  const flat = rows.filter(
    (row) =>
      Math.abs(box[4 * row + 2]! - box[4 * row]!) < 0.004 || Math.abs(box[4 * row + 3]! - box[4 * row + 1]!) < 0.004,
  ).length;
  return flat > rows.length / 2 && `${share(flat, rows.length, 'boxes')} are thinner than 0.4 % of the frame.`;
}

function oneSize({ box }: BoxRows, rows: readonly number[]): string | false {
  if (rows.length < 5) return false;
  const same = (at: number) => {
    const sizes = rows.map((row) => Math.abs(box[4 * row + at + 2]! - box[4 * row + at]!));
    return Math.max(...sizes) - Math.min(...sizes) < 0.01 * Math.max(...sizes);
  };
  return same(0) && same(1) && `All ${rows.length} boxes have one size.`;
}

function inACorner({ box }: BoxRows, rows: readonly number[]): string | false {
  if (rows.length < 3) return false;
  const low = (at: number) => Math.min(...rows.map((row) => Math.min(box[4 * row + at]!, box[4 * row + at + 2]!)));
  const high = (at: number) => Math.max(...rows.map((row) => Math.max(box[4 * row + at]!, box[4 * row + at + 2]!)));
  const side = (at: number) => (high(at) < 0.25 ? 'low' : low(at) > 0.75 ? 'high' : null);
  const [x, y] = [side(0), side(1)];
  if (x === null || y === null) return false;
  return `All ${rows.length} boxes lie in the ${y === 'low' ? 'upper' : 'lower'} ${x === 'low' ? 'left' : 'right'} corner of the frame.`;
}

/** Above 1 the machine divides by 100; logits and 8-bit scores come through as nonsense. */
function scoresAbove({ score, count }: BoxRows, largest: number): string | false {
  const above = score.filter((value) => value > 1.001).length;
  const below = score.filter((value) => value < -0.001).length;
  if (above === 0 && below < 0.1 * count) return false;
  return `The scores go from ${figure(Math.min(...sample(score)))} to ${figure(largest)}: they are not probabilities yet.`;
}

/**
 * Most boxes with one score, whatever lies under them: a sigmoid makes 0.5 of every probability of 0, a softmax of two
 * classes 0.27. Rounded scores of many sure boxes may well be 1.
 */
function oneScore({ count, score }: BoxRows): string | false {
  if (count < 20) return false;
  const middle = sample(score).toSorted()[Math.floor(Math.min(count, mostSampled) / 2)]!;
  const near = score.filter((value) => Math.abs(value - middle) < 0.005).length;
  return (
    middle > 0.1 &&
    middle < 0.95 &&
    near > 0.8 * count &&
    `${share(near, count, 'boxes')} have a score of ${middle.toFixed(2)}, as where a sigmoid or a softmax is applied to what are probabilities already.`
  );
}

/**
 * Boxes reach some hundreds where a score ends at 1: quantised together with them, on one scale, every score rounds to 0. Rows
 * that say their category may be empty places of a fixed number of boxes, and those have no scores rightly.
 */
function lostScores({ count, score, classCount }: BoxRows): string | false {
  return (
    classCount !== null &&
    count >= 20 &&
    score.every((value) => value === 0) &&
    `All scores of ${count.toLocaleString('en')} boxes are exactly 0: the quantisation of this head has lost them. Export it with the head in float.`
  );
}

/** Looks at all rows, also those that a model would not show: there, chance alone mixes classes. */
function oneClass({ count, category, classCount }: BoxRows, labelOf: (category: number) => string): string | false {
  if (count < 20 || (classCount !== null && classCount < 3)) return false;
  const first = category[0]!;
  if (classCount === null && first === 0) return false; // a detector of one class
  return (
    category.every((value) => value === first) && `All ${count.toLocaleString('en')} boxes are “${labelOf(first)}”.`
  );
}

function notSuppressed(rows: BoxRows): string | false {
  const sure = rows.score.filter((score) => score >= 0.5).length;
  const distinct = distinctRows(rows, 0.5).length;
  return (
    sure >= 10 &&
    sure > 2 * distinct &&
    `${sure.toLocaleString('en')} boxes for about ${distinct} things: nothing in this model suppresses boxes that lie over each other, and the machine does not either.`
  );
}

function rowsAbove({ count, score }: BoxRows, least: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count && rows.length < mostRows; row++) if (score[row]! >= least) rows.push(row);
  return rows;
}

function sample(values: Float64Array): Float64Array {
  return values.subarray(0, mostSampled);
}

function figure(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(2)).toString();
}
