import { overlap } from '../interpretations/distinct-rows.ts';
import type { BoxRows } from '../interpretations/box-rows.ts';
import { surenessOfBox, type KnownAnswer } from '../solver/known-answer.ts';

/** A thing that a model is expected to find on one picture. */
export interface ExpectedThing extends KnownAnswer {
  /** what the model said of it where it was trained, 0..1; null: a person named it, and nobody knows how sure the model was */
  readonly score: number | null;
}

/** How near a number must come: half of the last digit that is told. */
export interface Digits {
  /** in parts of the picture, x and y */
  readonly box: readonly [x: number, y: number];
  readonly score: number;
}

/** How far what a model says lies from what is expected of it. */
export interface Miss {
  /** one number a thing, 0 or more: natural logarithms, of which a thing that is not found at all gets several */
  readonly things: readonly number[];
  /** how sure the model is of what is expected, as a part of what it should be: 0..1, the mean over things */
  readonly sureness: number;
  /** every number lies within its last digit; null: no scores were expected, and a picture is not reproduced by a drawn box */
  readonly reproduces: boolean | null;
}

/** The sureness of a missed answer, as in rank-feedings: so that one, however small its number, does not outweigh all others. */
const missed = 0.05;

/**
 * Compares the boxes of a picture with those that are expected.
 * @param rows boxes on the picture, 0..1
 * @param expected what is on it; where scores are known, nothing else of at least the lowest of them may be found
 * @param digits how near numbers must come
 * @returns how far it lies from them
 * @example
 * const rows = { count: 1, score: [0.75], category: [2], box: [0, 0, 1, 1] };
 * const digits = { box: [0.01, 0.01], score: 0.005 };
 * missOfBoxes(rows, [{ category: 2, box: [0, 0, 1, 1], score: 0.75 }], digits); // => { things: [0], sureness: 1, reproduces: true }
 */
export function missOfBoxes(rows: BoxRows, expected: readonly ExpectedThing[], digits: Digits): Miss {
  const found = expected.map((thing) => missOfThing(rows, thing, digits));
  const scores = expected.map(({ score }) => score);
  const areKnown = scores.every((score) => score !== null);
  const extras = areKnown ? strangers(rows, expected, Math.min(...(scores as number[])), digits) : [];
  const things = [...found.map(({ miss }) => miss), ...extras];
  const sureness = mean(expected.map((thing) => Math.min(1, surenessOfBox(rows, thing) / (thing.score ?? 1))));
  return {
    things,
    sureness,
    reproduces: areKnown ? extras.length === 0 && found.every(({ isWithin }) => isWithin) : null,
  };
}

interface ThingMiss {
  readonly miss: number;
  readonly isWithin: boolean;
}

function missOfThing(rows: BoxRows, thing: ExpectedThing, digits: Digits): ThingMiss {
  if (thing.score === null)
    return { miss: -Math.log(missed + (1 - missed) * surenessOfBox(rows, thing)), isWithin: false };
  let best: ThingMiss = { miss: missOf([1, 1, thing.score], digits), isWithin: false };
  for (let row = 0; row < rows.count; row++) {
    if (rows.category[row] !== thing.category) continue;
    const [x, y] = thing.box ? edgesApart(rows, row, thing.box) : [0, 0];
    const score = Math.abs(rows.score[row]! - thing.score);
    if (Number.isNaN(x + y + score)) continue;
    const miss = missOf([x, y, score], digits);
    const isWithin = x <= digits.box[0] && y <= digits.box[1] && score <= digits.score;
    if (miss < best.miss || (isWithin && !best.isWithin)) best = { miss, isWithin };
  }
  return best;
}

/** 0 where all lie within their last digits; else the mean of the logarithms of how many digits they lie apart. */
function missOf([x, y, score]: readonly [number, number, number], digits: Digits): number {
  const log = (apart: number, digit: number) => Math.log(Math.max(1, Math.min(apart, 1) / digit));
  return (log(x, digits.box[0]) + log(y, digits.box[1]) + 2 * log(score, digits.score)) / 4;
}

function edgesApart({ box }: BoxRows, row: number, expected: NonNullable<KnownAnswer['box']>): [number, number] {
  // Trainers cut boxes off at the picture's edges.
  const inside = (place: number) => Math.min(1, Math.max(0, place));
  const apart = (side: 0 | 1 | 2 | 3) => Math.abs(inside(box[4 * row + side]!) - inside(expected[side]));
  return [Math.max(apart(0), apart(2)), Math.max(apart(1), apart(3))];
}

/** Things that are found though nobody expects them, each missed by its score. */
function strangers(rows: BoxRows, expected: readonly ExpectedThing[], lowest: number, digits: Digits): number[] {
  const strange: number[] = [];
  for (let row = 0; row < rows.count && strange.length < mostStrangers; row++) {
    const score = rows.score[row]!;
    if (!(score > lowest + 2 * digits.score)) continue;
    const isKnown = expected.some(
      ({ category, box }) =>
        category === rows.category[row] && (box === null || overlap(box, rows.box, 0, 4 * row) >= 0.5),
    );
    if (!isKnown) strange.push(missOf([1, 1, score], digits));
  }
  return strange;
}

/** More tell nothing more. */
const mostStrangers = 20;

/**
 * Compares a classifier's probability with what is expected.
 * @param probability of the expected class, 0..1
 * @param expected what is on the picture
 * @param digits how near the number must come
 * @returns how far it lies from it
 * @example
 * missOfClass(0.5, { category: 1, box: null, score: 0.5 }, { box: [1, 1], score: 0.01 }); // => { things: [0], sureness: 1, reproduces: true }
 */
export function missOfClass(probability: number, { score }: ExpectedThing, digits: Digits): Miss {
  if (score === null)
    return { things: [-Math.log(missed + (1 - missed) * probability)], sureness: probability, reproduces: null };
  const apart = Math.abs(probability - score);
  const sureness = Math.min(1, probability / score);
  return { things: [Math.log(Math.max(1, apart / digits.score))], sureness, reproduces: apart <= digits.score };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
