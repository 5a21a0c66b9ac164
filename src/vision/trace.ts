import type { TransformStep } from '../config/machine-config.ts';
import { assertNever } from './assert-never.ts';
import { cropWindow } from './transforms/crop.ts';

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

export interface Point {
  /** in pixels; whole numbers are pixel centres, so the source spans -0.5 to width - 0.5 */
  readonly x: number;
  readonly y: number;
}

export interface TracedBox {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/**
 * Maps a box on the last stage back through every step to source pixels: its corners top left, top right, bottom right,
 * bottom left, unrounded. After a free rotation they are a tilted rectangle. `stages` begins with the source.
 */
export function traceToSource(box: TracedBox, stages: readonly TracedStage[]): readonly [Point, Point, Point, Point] {
  const back = (x: number, y: number): Point => {
    let point: Point = { x, y };
    for (let at = stages.length - 1; at > 0; at--) point = throughStep(point, stages[at]!, stages[at - 1]!);
    return point;
  };
  return [back(box.xMin, box.yMin), back(box.xMax, box.yMin), back(box.xMax, box.yMax), back(box.xMin, box.yMax)];
}

/** Maps a point of `after` back to `before`. */
function throughStep({ x, y }: Point, after: TracedStage, before: TracedStage): Point {
  const { step } = after;
  if (!step) return { x, y };
  switch (step.type) {
    case '':
    case 'detections':
    case 'classifications':
      return { x, y };
    case 'crop': {
      if (step.attributes.overlayCropBox) return { x, y };
      const { xMin, yMin } = cropWindow(step.attributes, before.widthPx, before.heightPx);
      return { x: x + xMin, y: y + yMin };
    }
    case 'resize':
      return {
        x: ((x + 0.5) * before.widthPx) / after.widthPx - 0.5,
        y: ((y + 0.5) * before.heightPx) / after.heightPx - 0.5,
      };
    case 'rotate':
      return rotateBack({ x, y }, step.attributes.angleDegs, after, before);
    default:
      return assertNever(step);
  }
}

/** The mapping that rotation samples by: about the centres of both pictures, against the clockwise angle. */
function rotateBack({ x, y }: Point, angleDegs: number, after: TracedStage, before: TracedStage): Point {
  const { sin, cos } = sinCos(-angleDegs);
  const fromCentreX = x - (after.widthPx / 2 - 0.5);
  const fromCentreY = y - (after.heightPx / 2 - 0.5);
  return {
    x: fromCentreX * cos - fromCentreY * sin + before.widthPx / 2 - 0.5,
    y: fromCentreX * sin + fromCentreY * cos + before.heightPx / 2 - 0.5,
  };
}

/** Exact at quarter turns, where Math.sin has a rounding error. */
function sinCos(degs: number): { sin: number; cos: number } {
  const turned = degs - Math.floor(degs / 360) * 360;
  const quarter = turned / 90;
  if (Number.isInteger(quarter)) return { sin: [0, 1, 0, -1][quarter]!, cos: [1, 0, -1, 0][quarter]! };
  const radians = (turned * Math.PI) / 180;
  return { sin: Math.sin(radians), cos: Math.cos(radians) };
}
