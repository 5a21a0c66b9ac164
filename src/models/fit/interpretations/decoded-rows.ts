import type { Outputs } from '../../../machine/vision/face/results.ts';
import { readBoxRows, type BoxRows, type InferenceSizes } from './box-rows.ts';
import type { DetectionInterpretation } from './interpretation.ts';

/** Fitted models write boxes as ymin, xmin, ymax, xmax, as fractions of the input. */
const interpretation: DetectionInterpretation = {
  kind: 'detections',
  location: 'location',
  category: 'category',
  score: 'score',
  boxOrder: [1, 0, 3, 2],
  boxForm: 'two corners',
  space: 'proportional',
  activation: 'none',
  classBase: 0,
};

/**
 * Reads the boxes of a fitted detector, or of its decoding alone, without the rows of score 0 that fill the table up.
 * @param outputs of one run: `location`, `category` and `score`
 * @param sizes size of the model's input, in pixels
 * @param as what the outputs mean, where the model was not fitted
 * @returns one row a box, 0..1 of the input; null: the outputs are not those of such a detector
 * @example
 * const tensor = (shape: number[], values: number[]) => ({ dtype: 'float32', shape, data: Float32Array.from(values) });
 * const outputs = new Map([['location', tensor([1, 2, 4], [0, 0, 1, 1, 0, 0, 0, 0])], ['category', tensor([1, 2], [3, 0])], ['score', tensor([1, 2], [0.5, 0])]]);
 * decodedRows(outputs, { inputWidthPx: 4, inputHeightPx: 4 }).count; // => 1
 * decodedRows(new Map(), { inputWidthPx: 4, inputHeightPx: 4 }); // => null
 */
export function decodedRows(
  outputs: Outputs,
  sizes: InferenceSizes,
  as: DetectionInterpretation = interpretation,
): BoxRows | null {
  const rows = readBoxRows(outputs, as, sizes);
  if (!rows) return null;
  // A score that is not a number is kept: it shows that something is wrong.
  const kept = Array.from(rows.score.keys()).filter((row) => !(rows.score[row]! <= 0));
  return {
    ...rows,
    count: kept.length,
    box: Float64Array.from(kept.flatMap((row) => Array.from(rows.box.subarray(4 * row, 4 * row + 4)))),
    score: Float64Array.from(kept, (row) => rows.score[row]!),
    category: Float64Array.from(kept, (row) => rows.category[row]!),
  };
}
