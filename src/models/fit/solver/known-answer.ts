import type { Outputs } from '../../../machine/vision/face/results.ts';
import { tensorToFloat64 } from '../../../machine/vision/face/feeding.ts';
import type { BoxRows } from '../interpretations/box-rows.ts';
import { overlap } from '../interpretations/distinct-rows.ts';

/** What a person says is on a picture. */
export interface KnownAnswer {
  /** number of the class */
  readonly category: number;
  /** xMin, yMin, xMax, yMax, parts of the frame; null = nobody said where it is */
  readonly box: readonly [xMin: number, yMin: number, xMax: number, yMax: number] | null;
}

/**
 * Finds the class that a person means.
 * @param words a class's name in any case, or its number
 * @param labels names of the classes; null: they have numbers only
 * @returns number of the class, the first of that name; null: no class is named so
 * @example
 * classNamed('Zebra', ['horse', 'zebra']); // => 1
 * classNamed('1', null); // => 1
 * classNamed('cat', ['horse', 'zebra']); // => null
 */
export function classNamed(words: string, labels: readonly string[] | null): number | null {
  const wanted = words.trim().toLowerCase();
  const named = labels?.findIndex((label) => label.trim().toLowerCase() === wanted) ?? -1;
  if (named >= 0) return named;
  return /^\d+$/.test(wanted) && (labels === null || Number(wanted) < labels.length) ? Number(wanted) : null;
}

/**
 * Measures how sure a classifier is of the answer.
 * @param outputs of one run of a fitted classifier
 * @param answer what is on the picture
 * @returns its probability, 0..1; null: there is no such class
 * @example
 * const probability = { dtype: 'float32', shape: [1, 2], data: Float32Array.of(0.25, 0.75) };
 * surenessOfClass(new Map([['probability', probability]]), { category: 1, box: null }); // => 0.75
 */
export function surenessOfClass(outputs: Outputs, { category }: KnownAnswer): number | null {
  const tensor = outputs.get('probability');
  const value = tensor && tensorToFloat64(tensor)?.[category];
  return value === undefined ? null : clamped(value);
}

/** A side that is shorter, as a part of the frame, is that of no thing that a person names. */
const sliver = 0.01;
/** Boxes that share so much of their area show the same thing. */
const sameThing = 0.5;

/**
 * Measures how sure a detector is of the answer: the score of its best box of that class, less where the box lies elsewhere than a person
 * says. Fed values that are a hundred times too large, detectors give slivers with scores of 1, which are no things.
 * @param rows boxes on the frame, 0..1
 * @param answer what is on the picture
 * @returns 0..1; 0: no box of that class
 * @example
 * const rows = { count: 1, score: [0.75], category: [2], box: [0, 0, 1, 1] };
 * surenessOfBox(rows, { category: 2, box: null }); // => 0.75
 * surenessOfBox(rows, { category: 2, box: [0, 0, 0.5, 0.5] }); // => 0.375
 */
export function surenessOfBox(rows: BoxRows, { category, box }: KnownAnswer): number {
  let best = 0;
  for (let row = 0; row < rows.count; row++) {
    if (rows.category[row] !== category || isSliver(rows, row)) continue;
    const inPlace = box === null ? 1 : Math.min(1, overlap(box, rows.box, 0, 4 * row) / sameThing);
    best = Math.max(best, clamped(rows.score[row]!) * inPlace);
  }
  return best;
}

function isSliver({ box }: BoxRows, row: number): boolean {
  const sideOf = (axis: 0 | 1) => box[4 * row + axis + 2]! - box[4 * row + axis]!;
  return !(sideOf(0) >= sliver && sideOf(1) >= sliver);
}

/** A number within 0..1; what is not a number says nothing, and is 0. */
function clamped(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value));
}
