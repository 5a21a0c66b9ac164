import type { RawDetections } from '../results/detections.ts';
import { shapeText, tensorToFloat64 } from '../tensor/tensor-values.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { BoxOrder } from './box-order.ts';
import { DecodeError } from './decode-error.ts';
import type { LabelTable } from './labels.ts';
import { quote, type Outputs } from './outputs.ts';
import type { DetectionTensorNames } from './tensor-choice.ts';

export interface DetectionDecoding {
  readonly names: Pick<DetectionTensorNames, 'location' | 'category' | 'score'>;
  readonly labels: LabelTable;
  readonly boxOrder: BoxOrder;
  /** size of the model's input tensor: absolute boxes are in its pixels */
  readonly inputWidthPx: number;
  readonly inputHeightPx: number;
  /** size of the frame that the detector saw */
  readonly frameWidthPx: number;
  readonly frameHeightPx: number;
}

/**
 * Reads a detector's outputs as the machine does (viamrobotics/rdk, mlvision/detector.go): model order, no suppression, no filter.
 * @throws DecodeError not-numeric, uneven-categories, sizes-mismatch, label-out-of-range, label-one-beyond, remap-missing-tensor
 */
export function decodeDetections(outputs: Outputs, decoding: DetectionDecoding): RawDetections {
  const { names, labels, frameWidthPx, frameHeightPx } = decoding;
  const location = numbersOf(outputs, names.location);
  const { scores, categories } = separateScores(outputs, names, location.length);
  if (categories.length !== scores.length || location.length !== 4 * scores.length)
    throw new DecodeError(
      'sizes-mismatch',
      `Output sizes did not match: ${scores.length} scores, ${categories.length} categories and ${location.length} box numbers ` +
        `(4 a score were expected), from ${describe(outputs, names)}. Check remap_output_names.`,
    );

  const boxSpace = sumOfFirstBox(location) < 4 ? 'proportional' : 'absolute';
  const toPixels = pixelReader(location, boxSpace, decoding);
  const categoryOf = new Float64Array(scores.length);
  const score = new Float64Array(scores.length);
  const box = new Int32Array(4 * scores.length);
  let count = 0;
  for (let row = 0; row < scores.length; row++) {
    const category = Math.trunc(Math.max(categories[row]!, 0));
    if (labels.size !== null && category >= labels.size)
      throw new DecodeError(
        countsFromOne(categories, scores, labels.size) ? 'label-one-beyond' : 'label-out-of-range',
        `Box ${row} is of category ${category}, but the label list has ${labels.size} entries (0 to ${labels.size - 1}). ` +
          'On the machine the whole call fails; use the label list that the model was trained with.',
      );
    if (Number.isNaN(category) || !toPixels(row, box, 4 * count)) continue;
    categoryOf[count] = category;
    score[count] = machineScore(scores[row]!);
    count++;
  }
  return {
    count,
    ...labels.place(categoryOf.subarray(0, count)),
    score: score.slice(0, count),
    box: box.slice(0, 4 * count),
    frameWidthPx,
    frameHeightPx,
    boxSpace,
    droppedNaN: scores.length - count,
  };
}

/**
 * Whether categories look like those of a model that counts its classes from 1, for a list of labels that begins with its first class.
 * @param categories one a box, as the model gives them
 * @param scores one a box; boxes without a score are padding, and say nothing
 * @param labelCount how many labels there are
 * @returns true: the highest category is the one behind the list's last, and no box is of category 0
 * @example
 * countsFromOne(Float64Array.of(1, 2), Float64Array.of(0.9, 0.2), 2); // => true
 * countsFromOne(Float64Array.of(0, 2), Float64Array.of(0.9, 0.2), 2); // => false
 */
export function countsFromOne(categories: ArrayLike<number>, scores: ArrayLike<number>, labelCount: number): boolean {
  let highest = -1;
  for (let row = 0; row < scores.length; row++) {
    const category = Math.trunc(categories[row]!);
    if (scores[row]! > 0 && category <= 0) return false;
    highest = Math.max(highest, category);
  }
  return highest === labelCount;
}

/** Scores below 0 become 0; every score above 1 is read as a percentage (150 becomes 1.5). NaN stays NaN. */
function machineScore(score: number): number {
  if (score < 0) return 0;
  return score > 1 ? score / 100 : score;
}

function separateScores(outputs: Outputs, names: DetectionDecoding['names'], locationLength: number) {
  const scores = numbersOf(outputs, names.score);
  if (names.category !== null) return { scores, categories: numbersOf(outputs, names.category) };
  const shape = outputs.get(names.score)!.shape;
  if (shape.length !== 3) return { scores, categories: new Float64Array(scores.length) };
  const [, rows, columns] = shape as [number, number, number];
  const categoryCount = 4 * columns === locationLength ? rows : columns;
  if (categoryCount === 1) return { scores, categories: new Float64Array(scores.length) };
  if (scores.length % categoryCount !== 0)
    throw new DecodeError(
      'uneven-categories',
      `${categoryCount} categories do not divide the ${scores.length} values of ${quote(names.score)} ${shapeText(shape)}. ` +
        'Check remap_output_names.',
    );
  return bestCategories(scores, categoryCount);
}

/** For each row of `categoryCount` scores, the first maximum. NaN never wins, as on the machine. */
function bestCategories(scores: Float64Array, categoryCount: number) {
  const rows = scores.length / categoryCount;
  const best = new Float64Array(rows);
  const categories = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let most = -Number.MAX_VALUE;
    for (let category = 0; category < categoryCount; category++) {
      const score = scores[row * categoryCount + category]!;
      if (score > most) {
        most = score;
        categories[row] = category;
      }
    }
    best[row] = most;
  }
  return { scores: best, categories };
}

/** The machine looks at the first box alone to decide how every box of the frame is read. */
function sumOfFirstBox(location: Float64Array): number {
  return location.length < 4 ? 0 : location[0]! + location[1]! + location[2]! + location[3]!;
}

/** Writes row's xMin, yMin, xMax, yMax in whole frame pixels at `to`; returns false for a row with a NaN. */
function pixelReader(location: Float64Array, boxSpace: RawDetections['boxSpace'], decoding: DetectionDecoding) {
  const { boxOrder, inputWidthPx, inputHeightPx, frameWidthPx, frameHeightPx } = decoding;
  const at = [0, 1, 2, 3].map((coordinate) => boxOrder.indexOf(coordinate)) as [number, number, number, number];
  const lastX = boxSpace === 'proportional' ? 1 : inputWidthPx - 1;
  const lastY = boxSpace === 'proportional' ? 1 : inputHeightPx - 1;
  const x = (value: number) => Math.trunc((clamp(value, lastX) / lastX) * (frameWidthPx - 1));
  const y = (value: number) => Math.trunc((clamp(value, lastY) / lastY) * (frameHeightPx - 1));
  return (row: number, box: Int32Array, to: number): boolean => {
    const x0 = x(location[4 * row + at[0]]!);
    const y0 = y(location[4 * row + at[1]]!);
    const x1 = x(location[4 * row + at[2]]!);
    const y1 = y(location[4 * row + at[3]]!);
    if (Number.isNaN(x0 + y0 + x1 + y1)) return false;
    box[to] = Math.min(x0, x1);
    box[to + 1] = Math.min(y0, y1);
    box[to + 2] = Math.max(x0, x1);
    box[to + 3] = Math.max(y0, y1);
    return true;
  };
}

function clamp(value: number, most: number): number {
  if (value < 0) return 0;
  return value > most ? most : value;
}

function numbersOf(outputs: Outputs, name: string): Float64Array {
  const tensor = requireTensor(outputs, name);
  const values = tensorToFloat64(tensor);
  if (values) return values;
  throw new DecodeError('not-numeric', `Output ${quote(name)} holds ${tensor.dtype} values; numbers are needed.`);
}

function requireTensor(outputs: Outputs, name: string): Tensor {
  const tensor = outputs.get(name);
  if (tensor) return tensor;
  throw new DecodeError('tensor-not-found', `The model did not return its output ${quote(name)} this time.`);
}

function describe(outputs: Outputs, names: DetectionDecoding['names']): string {
  const roles = [
    ['location', names.location],
    ['category', names.category],
    ['score', names.score],
  ] as const;
  return roles
    .filter((role): role is [(typeof role)[0], string] => role[1] !== null)
    .map(([role, name]) => `${role} ${quote(name)} ${shapeText(outputs.get(name!)!.shape)}`)
    .join(', ');
}
