import { tensorToFloat64 } from '../../../machine/vision/face/feeding.ts';
import type { Outputs } from '../../../machine/vision/face/results.ts';
import type { DetectionInterpretation } from './interpretation.ts';

/** Boxes as an interpretation has them, before anything is clamped, swapped or rounded: what a wrong interpretation shows itself by. */
export interface BoxRows {
  readonly count: number;
  /** xMin, yMin, xMax, yMax a row, 0..1 of the frame where the interpretation is right */
  readonly box: Float64Array;
  readonly score: Float64Array;
  readonly category: Float64Array;
  /** how many classes the scores tell apart; null = they do not say (a category tensor, or one class) */
  readonly classCount: number | null;
  readonly space: 'proportional' | 'absolute';
  /** numbers of the first box, by which the machine decides between proportional and absolute */
  readonly firstBoxSum: number;
}

/** The sizes of an inference that decide where boxes lie. */
export interface InferenceSizes {
  readonly inputWidthPx: number;
  readonly inputHeightPx: number;
}

/**
 * Reads boxes, categories and scores from a detector's raw outputs under one interpretation.
 * @param outputs of one run, by tensor name
 * @param interpretation which tensors are boxes, and what their numbers mean
 * @param sizes size of the model's input, in pixels
 * @returns one row a box, unfiltered and unclamped, 0..1 of the frame; null: the tensors do not fit together
 * @example
 * import { presentDetections } from './present-interpretation.ts';
 * const tensor = (shape: number[], values: number[]) => ({ dtype: 'float32', shape, data: Float32Array.from(values) });
 * const outputs = new Map([['b', tensor([1, 1, 4], [0, 0.5, 1, 1])], ['c', tensor([1, 1], [2])], ['s', tensor([1, 1], [0.75])]]);
 * const names = { location: 'b', category: 'c', score: 's' };
 * const interpretation = presentDetections(names, { boxOrder: [1, 0, 3, 2], dropsFirstLabel: false });
 * const { box, category, score } = readBoxRows(outputs, interpretation, { inputWidthPx: 4, inputHeightPx: 4 });
 * [...box, ...category, ...score]; // => [0.5, 0, 1, 1, 2, 0.75]
 */
export function readBoxRows(
  outputs: Outputs,
  interpretation: DetectionInterpretation,
  sizes: InferenceSizes,
): BoxRows | null {
  const location = valuesOf(outputs, interpretation.location);
  const scores = valuesOf(outputs, interpretation.score);
  const categories = interpretation.category === null ? null : valuesOf(outputs, interpretation.category);
  if (!location || !scores || (interpretation.category !== null && !categories)) return null;
  if (location.length % 4 !== 0) return null;
  const count = location.length / 4;
  const classes = count > 0 ? scores.length / count : 1;
  if (!Number.isInteger(classes) || classes < 1) return null;
  if (categories && (classes !== 1 || categories.length !== count)) return null;

  const firstBoxSum = count > 0 ? location[0]! + location[1]! + location[2]! + location[3]! : 0;
  const space =
    interpretation.space !== 'machine' ? interpretation.space : firstBoxSum < 4 ? 'proportional' : 'absolute';
  const best = bestClasses(scores, classes, count, interpretation);
  return {
    count,
    box: orderedBoxes(location, interpretation, space, sizes),
    score: best.score,
    category: categories ?? best.category,
    classCount: classes > 1 ? classes : null,
    space,
    firstBoxSum,
  };
}

function orderedBoxes(
  location: Float64Array,
  { boxOrder, boxForm }: DetectionInterpretation,
  space: BoxRows['space'],
  { inputWidthPx, inputHeightPx }: InferenceSizes,
): Float64Array {
  const at = [0, 1, 2, 3].map((coordinate) => boxOrder.indexOf(coordinate));
  // The machine counts in the same way: pixels of the model's input from 0 to its last one.
  const [lastX, lastY] = space === 'proportional' ? [1, 1] : [inputWidthPx - 1, inputHeightPx - 1];
  const box = new Float64Array(location.length);
  for (let i = 0; i < location.length; i += 4) {
    for (let coordinate = 0; coordinate < 4; coordinate++)
      box[i + coordinate] = location[i + at[coordinate]!]! / (coordinate % 2 === 0 ? lastX : lastY);
    if (boxForm === 'two corners') continue;
    for (const axis of [i, i + 1]) {
      const size = box[axis + 2]!;
      if (boxForm === 'centre and size') box[axis] = box[axis]! - size / 2;
      box[axis + 2] = box[axis]! + size;
    }
  }
  return box;
}

function bestClasses(
  scores: Float64Array,
  classes: number,
  count: number,
  { activation, classBase }: DetectionInterpretation,
) {
  const score = new Float64Array(count);
  const category = new Float64Array(count);
  const first = classBase === 'background-first' && classes > 1 ? 1 : 0;
  for (let row = 0; row < count; row++) {
    const from = row * classes;
    let best = from + first;
    for (let i = best + 1; i < from + classes; i++) if (scores[i]! > scores[best]!) best = i;
    score[row] = activated(scores, from, classes, best, activation);
    category[row] = best - from;
  }
  return { score, category };
}

function activated(
  scores: Float64Array,
  from: number,
  classes: number,
  best: number,
  activation: DetectionInterpretation['activation'],
): number {
  const value = scores[best]!;
  if (activation === 'none') return value;
  if (activation === 'sigmoid') return 1 / (1 + Math.exp(-value));
  let sum = 0;
  for (let i = from; i < from + classes; i++) sum += Math.exp(scores[i]! - value);
  return 1 / sum;
}

function valuesOf(outputs: Outputs, name: string): Float64Array | null {
  const tensor = outputs.get(name);
  return tensor ? tensorToFloat64(tensor) : null;
}
