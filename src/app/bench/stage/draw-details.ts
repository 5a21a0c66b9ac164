import type { DetectionDetails } from '../../../machine/vision/face/results.ts';
import type { Point } from '../../../machine/vision/face/traces.ts';
import { inkOn } from '../../kit/colours/colour-distance.ts';
import { boundsOf, type OverlayBox } from '../../kit/picture/draw-overlay.ts';

/** Points that a model is less sure of are not drawn, as its authors' code draws none. */
const leastSure = 0.25;

/** Which of the 17 points of COCO's bodies a line joins. */
const bones = [
  [15, 13], [13, 11], [16, 14], [14, 12], [11, 12], [5, 11], [6, 12], [5, 6], [5, 7], [6, 8],
  [7, 9], [8, 10], [1, 2], [0, 1], [0, 2], [1, 3], [2, 4], [3, 5], [4, 6],
] as const; // prettier-ignore

/** The details drawn of one box, in stage px. */
export interface BoxDetails {
  readonly box: OverlayBox;
  /** by number of the point; null: the model is not sure of it */
  readonly points: readonly (Point | null)[];
  /** outlines of its mask */
  readonly rings: readonly (readonly Point[])[];
}

/**
 * The details of the boxes that are kept; `toStage` puts a point of the frame that the detector saw on the stage.
 */
export function detailsOfBoxes(
  { keyPoints, masks }: DetectionDetails,
  boxes: readonly OverlayBox[],
  toStage: (point: Point) => Point,
): readonly BoxDetails[] {
  const ringsOf = new Map<number, (readonly Point[])[]>();
  const kept = new Set(boxes.filter((box) => box.kept).map(({ row }) => row));
  masks?.rows.forEach((row, ring) => {
    if (!kept.has(row)) return;
    const from = masks.ends[ring - 1] ?? 0;
    const placed = Array.from({ length: masks.ends[ring]! - from }, (_, k) => {
      const at = 2 * (from + k);
      return toStage({ x: masks.points[at]!, y: masks.points[at + 1]! });
    });
    ringsOf.set(row, [...(ringsOf.get(row) ?? []), placed]);
  });
  const pointsOf = (row: number) =>
    Array.from({ length: keyPoints?.perRow ?? 0 }, (_, k) => {
      const { perRow, values } = keyPoints!;
      const [x, y, sure] = values.subarray(3 * (perRow * row + k));
      return sure! >= leastSure ? toStage({ x: x!, y: y! }) : null;
    });
  return boxes
    .filter((box) => box.kept)
    .map((box) => ({ box, points: pointsOf(box.row), rings: ringsOf.get(box.row) ?? [] }));
}

/** Draws masks as translucent areas with an outline, and key points as rings in the label's colour. */
export function drawDetails(context: CanvasRenderingContext2D, details: readonly BoxDetails[]): void {
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const one of details) drawMask(context, one);
  for (const one of details) drawKeyPoints(context, one);
  context.globalAlpha = 1;
}

function drawMask(context: CanvasRenderingContext2D, { box, rings }: BoxDetails): void {
  if (rings.length === 0) return;
  const alpha = alphaOf(box);
  context.beginPath();
  for (const ring of rings) {
    ring.forEach(({ x, y }, at) => (at ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
  }
  context.globalAlpha = 0.35 * alpha;
  context.fillStyle = box.colour;
  context.fill('evenodd');
  context.globalAlpha = alpha;
  context.strokeStyle = box.colour;
  context.lineWidth = 1.5;
  context.stroke();
}

function drawKeyPoints(context: CanvasRenderingContext2D, { box, points }: BoxDetails): void {
  if (points.length === 0) return;
  const { width, height } = boundsOf(box.corners);
  const radiusPx = Math.min(4, Math.max(1.5, Math.sqrt(width * height) / 25));
  context.globalAlpha = alphaOf(box);
  // A rim of opposite lightness, as boxes have it.
  const stroke = (widthPx: number): void => {
    for (const [colour, rimPx] of [
      [`${inkOn(box.colour)}b0`, 2],
      [box.colour, 0],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = widthPx + rimPx;
      context.stroke();
    }
  };
  if (points.length === 17) {
    context.beginPath();
    for (const [one, other] of bones) {
      const [from, to] = [points[one], points[other]];
      if (!from || !to) continue;
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
    }
    stroke(1.5);
  }
  context.beginPath();
  for (const point of points) {
    if (!point) continue;
    context.moveTo(point.x + radiusPx, point.y);
    context.arc(point.x, point.y, radiusPx, 0, 2 * Math.PI);
  }
  stroke(1.5);
}

/** The opacity of a box and of its details, 0..1. */
const alphaOf = ({ faded, selected, hovered }: OverlayBox): number => (faded && !selected && !hovered ? 0.25 : 1);
