import type { Outputs } from '../decode/outputs.ts';
import type { RawDetections } from '../results/detections.ts';
import { tensorToFloat64 } from '../tensor/tensor-values.ts';
import { detailNames } from './detail-names.ts';
import { outlineMask, type MaskPrototypes } from './outline-mask.ts';

/** What a model says of the rows of a frame's detections beyond their boxes. The machine knows none of it. */
export interface DetectionDetails {
  readonly keyPoints: RowKeyPoints | null;
  readonly masks: RowMasks | null;
}

export interface RowKeyPoints {
  readonly perRow: number;
  /** x and y in pixels of the frame that the detector saw, and how sure the point is (0..1): three numbers a point, row by row */
  readonly values: Float32Array;
}

/** Outlines of masks: closed rings, each of one row. What lies in two rings of a row is a hole. */
export interface RowMasks {
  /** x and y in pixels of the frame that the detector saw, ring after ring */
  readonly points: Float32Array;
  /** by ring: how many points there are up to its end */
  readonly ends: Uint32Array;
  /** by ring: its row */
  readonly rows: Uint32Array;
}

/** Masks of more boxes than a person looks at would delay the next frame. */
export const mostMasks = 100;

/**
 * Reads key points and masks of a frame's detections, row by row as they stand. A mask is that of its authors' code: weights times
 * prototypes, cut off at the box; inside is where the sum is above 0, which is where its sigmoid is above 0.5.
 * @param outputs of one run, by tensor name
 * @param detections decoded from the same outputs
 * @returns places in pixels of the frame that the detector saw; null: the outputs have no details, or other rows than the detections
 * @example
 * const tensor = (shape: number[], values: number[]) => ({ dtype: 'float32', shape, data: Float32Array.from(values) });
 * const outputs = new Map([['key_points', tensor([1, 1, 1, 3], [0.5, 1, 0.75])]]);
 * const { keyPoints } = decodeDetails(outputs, { count: 1, score: [1], box: [0, 0, 1, 1], frameWidthPx: 9, frameHeightPx: 5 });
 * [...keyPoints.values]; // => [4, 4, 0.75]
 */
export function decodeDetails(outputs: Outputs, detections: RawDetections): DetectionDetails | null {
  const keyPoints = keyPointsAmong(outputs, detections);
  const masks = masksAmong(outputs, detections);
  return keyPoints || masks ? { keyPoints, masks } : null;
}

/** The numbers of a tensor that has a row a detection; null: it has others, or there is no such tensor. */
function rowNumbers(outputs: Outputs, name: string, { count }: RawDetections) {
  const tensor = outputs.get(name);
  if (tensor?.shape[1] !== count) return null;
  const values = tensorToFloat64(tensor);
  return values && { shape: tensor.shape, values };
}

function keyPointsAmong(outputs: Outputs, detections: RawDetections): RowKeyPoints | null {
  const found = rowNumbers(outputs, detailNames.keyPoints, detections);
  if (found?.shape.length !== 4 || found.shape[3] !== 3) return null;
  // Key points are placed as the machine places boxes: from the middle of the first pixel to that of the last.
  const scales = [detections.frameWidthPx - 1, detections.frameHeightPx - 1, 1];
  const values = Float32Array.from(found.values, (value, at) => value * scales[at % 3]!);
  return { perRow: found.shape[2]!, values };
}

function masksAmong(outputs: Outputs, detections: RawDetections): RowMasks | null {
  const weights = rowNumbers(outputs, detailNames.maskWeights, detections);
  const prototypes = prototypesAmong(outputs);
  if (!weights || !prototypes || weights.shape[2] !== prototypes.count) return null;
  const points: number[] = [];
  const ends: number[] = [];
  const rows: number[] = [];
  const { box, score, frameWidthPx, frameHeightPx } = detections;
  for (const row of surest(score)) {
    const corners = [0, 1, 2, 3].map((k) => box[4 * row + k]! / ((k % 2 === 0 ? frameWidthPx : frameHeightPx) - 1));
    const ofRow = weights.values.subarray(prototypes.count * row, prototypes.count * (row + 1));
    for (const ring of outlineMask(prototypes, ofRow, corners as [number, number, number, number])) {
      for (let at = 0; at < ring.length; at += 2)
        points.push(ring[at]! * (frameWidthPx - 1), ring[at + 1]! * (frameHeightPx - 1));
      ends.push(points.length / 2);
      rows.push(row);
    }
  }
  return { points: Float32Array.from(points), ends: Uint32Array.from(ends), rows: Uint32Array.from(rows) };
}

/** The rows that stand for something, those of the highest scores if there are too many. */
function surest(score: Float64Array): readonly number[] {
  const rows = Array.from(score.keys()).filter((row) => score[row]! > 0);
  return rows.length <= mostMasks ? rows : rows.sort((a, b) => score[b]! - score[a]!).slice(0, mostMasks);
}

function prototypesAmong(outputs: Outputs): MaskPrototypes | null {
  const tensor = outputs.get(detailNames.maskPrototypes);
  if (tensor?.shape.length !== 4 || !(tensor.data instanceof Float32Array)) return null;
  const [, count, height, width] = tensor.shape as [number, number, number, number];
  const stated = outputs.get(detailNames.maskPlace);
  const [yMin, xMin, yMax, xMax] = (stated && tensorToFloat64(stated)) ?? [0, 0, 1, 1];
  return { values: tensor.data, count, width, height, place: [xMin!, yMin!, xMax!, yMax!] };
}
