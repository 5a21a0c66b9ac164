import type { TransformStep } from '../../config/face/machine-config.ts';
import { isPixelStep, traceBack } from '../transforms/pixel-step.ts';
import type { Point } from '../transforms/pixel-step-record.ts';

export type { Point };

/** The picture after one step: its size, and the step that made it (null: the source). */
export interface TracedStage {
  readonly step: TransformStep | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /**
   * only for a source whose last column or row was cropped: the size of the whole picture, which has the same
   * origin
   */
  readonly uncut?: PictureSize;
}

export interface PictureSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface TracedBox {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/**
 * Maps a box on the last stage back through every step to the source.
 * @param box in pixels of the last stage
 * @param stages the source first, then the picture after each step
 * @returns the corners top left, top right, bottom right, bottom left in source pixels, unrounded; after a free
 *   rotation they are a tilted rectangle
 * @example
 * const stages = [
 *   { step: null, widthPx: 8, heightPx: 4 },
 *   { step: { type: 'rotate', attributes: { angleDegs: 180 } }, widthPx: 8, heightPx: 4 },
 * ];
 * traceToSource({ xMin: 0, yMin: 0, xMax: 1, yMax: 1 }, stages)[0]; // => { x: 7, y: 3 }
 */
export function traceToSource(box: TracedBox, stages: readonly TracedStage[]): readonly [Point, Point, Point, Point] {
  const back = (x: number, y: number): Point => tracePoint({ x, y }, stages);
  return [back(box.xMin, box.yMin), back(box.xMax, box.yMin), back(box.xMax, box.yMax), back(box.xMin, box.yMax)];
}

/**
 * Maps a point on the last stage back through every step to the source.
 * @param place in pixels of the last stage
 * @param stages the source first, then the picture after each step
 * @returns the point in source pixels, unrounded
 * @example
 * const stages = [
 *   { step: null, widthPx: 8, heightPx: 4 },
 *   { step: { type: 'rotate', attributes: { angleDegs: 180 } }, widthPx: 8, heightPx: 4 },
 * ];
 * tracePoint({ x: 0, y: 0 }, stages); // => { x: 7, y: 3 }
 */
export function tracePoint(place: Point, stages: readonly TracedStage[]): Point {
  let point = place;
  for (let at = stages.length - 1; at > 0; at--) point = throughStep(point, stages[at]!, stages[at - 1]!);
  return point;
}

/** Maps a point of `after` back to `before`; a step that draws moves none. */
function throughStep(point: Point, after: TracedStage, before: TracedStage): Point {
  const { step } = after;
  return step && isPixelStep(step) ? traceBack(point, step, after, before) : point;
}
