import type { FrameSize } from '../../../../machine/vision/face/frames.ts';
import type { NormalizedBox } from '../../../../machine/vision/face/results.ts';
import type { PixelWindow } from '../../../../machine/vision/face/cameras.ts';
import { clamp, moveHandle, type WindowHandle } from '../../../kit/picture/pixel-window.ts';
import type { LabelledBox } from '../../../../evidence/capture/capture.ts';
import { overlapOf, samePlace, normalizedBox, toPixels, type AnnotatedBox, type TrackedBox } from './annotated-box.ts';

/**
 * The box after a person's correction: without the model's confidence, and a key frame of its track. The same object
 * if nothing changes.
 */
export function corrected(box: AnnotatedBox, part: Partial<Omit<LabelledBox, 'confidence'>>): AnnotatedBox {
  const after = { ...asKeyFrame(box), ...part, confidence: null, predicted: false };
  return after.label === box.label && samePlace(after, box) ? box : after;
}

/** The box as a person set it: a box of a track becomes one of its key frames. */
export function asKeyFrame(box: AnnotatedBox): AnnotatedBox {
  return box.track ? { ...box, track: { ...box.track, isKey: true } } : box;
}

/** Moves boxes together by whole pixels, no further than the edge of the image. */
export function moveBoxes(
  boxes: readonly AnnotatedBox[],
  xPx: number,
  yPx: number,
  size: FrameSize,
): readonly AnnotatedBox[] {
  const windows = boxes.map((box) => toPixels(box, size));
  const around = {
    xMin: Math.min(...windows.map(({ xMin }) => xMin)),
    yMin: Math.min(...windows.map(({ yMin }) => yMin)),
    xMax: Math.max(...windows.map(({ xMax }) => xMax)),
    yMax: Math.max(...windows.map(({ yMax }) => yMax)),
  };
  const moved = moveHandle(around, '', xPx, yPx, size);
  const [right, down] = [moved.xMin - around.xMin, moved.yMin - around.yMin];
  if (right === 0 && down === 0) return boxes;
  return boxes.map((box, at) => corrected(box, normalizedBox(shifted(windows[at]!, right, down), size)));
}

function shifted({ xMin, yMin, xMax, yMax }: PixelWindow, right: number, down: number): PixelWindow {
  return { xMin: xMin + right, yMin: yMin + down, xMax: xMax + right, yMax: yMax + down };
}

/** Moves one handle by whole pixels; the box stays on the image and at least one pixel wide and high. */
export function resizeBox(
  box: AnnotatedBox,
  handle: WindowHandle,
  xPx: number,
  yPx: number,
  size: FrameSize,
): AnnotatedBox {
  return corrected(box, normalizedBox(moveHandle(toPixels(box, size), handle, xPx, yPx, size), size));
}

export type BoxSide = 'x' | 'y' | 'width' | 'height';

/** Reads a field of the list: the left or upper edge, or the extent, in pixels. */
export function sideOf(box: LabelledBox, side: BoxSide, size: FrameSize): number {
  const { xMin, yMin, xMax, yMax } = toPixels(box, size);
  return { x: xMin, y: yMin, width: xMax - xMin, height: yMax - yMin }[side];
}

/** Sets a field of the list, in pixels: x and y move the box, width and height move its right and lower edge. */
export function withSide(box: AnnotatedBox, side: BoxSide, px: number, size: FrameSize): AnnotatedBox {
  const { xMin, yMin, xMax, yMax } = toPixels(box, size);
  const { widthPx, heightPx } = size;
  const windows: Readonly<Record<BoxSide, () => PixelWindow>> = {
    x: () => shifted({ xMin, yMin, xMax, yMax }, clamp(px, 0, widthPx - (xMax - xMin)) - xMin, 0),
    y: () => shifted({ xMin, yMin, xMax, yMax }, 0, clamp(px, 0, heightPx - (yMax - yMin)) - yMin),
    width: () => ({ xMin, yMin, xMax: clamp(xMin + px, xMin + 1, widthPx), yMax }),
    height: () => ({ xMin, yMin, xMax, yMax: clamp(yMin + px, yMin + 1, heightPx) }),
  };
  return corrected(box, normalizedBox(windows[side](), size));
}

/** The box of a model that a person accepted; it keeps its confidence. */
export function accepted(box: AnnotatedBox): AnnotatedBox {
  return { ...box, predicted: false };
}

/** The box without its track: on one image a track has only one box. */
export function withoutTrack<Box extends TrackedBox>({ track: _, ...box }: Box): Omit<Box, 'track'> {
  return box;
}

/**
 * Copies beside their originals. They count as drawn by a person: they have no confidence. `nextKey` makes a key for
 * each.
 */
export function duplicated(
  boxes: readonly AnnotatedBox[],
  size: FrameSize,
  nextKey: () => string,
): readonly AnnotatedBox[] {
  const copies = boxes.map((box) => ({ ...withoutTrack(box), key: nextKey(), confidence: null, predicted: false }));
  return shiftedAside(copies, size);
}

function shiftedAside(boxes: readonly AnnotatedBox[], size: FrameSize): readonly AnnotatedBox[] {
  const byPx = 10;
  const moved = moveBoxes(boxes, byPx, byPx, size);
  // In the lower right corner nothing can move further: there the copies lie on the other side.
  return moved === boxes ? moveBoxes(boxes, -byPx, -byPx, size) : moved;
}

/**
 * Copies for an image of any size: at the same fractions, at least a pixel wide and high, without confidence.
 * `nextKey` makes a key for each.
 */
export function copiesFor(
  boxes: readonly LabelledBox[],
  size: FrameSize,
  nextKey: () => string,
): readonly AnnotatedBox[] {
  return boxes.map((box) => {
    const copy = { ...withoutTrack(box), key: nextKey(), confidence: null, predicted: false };
    return isUnderAPixel(box, size) ? { ...copy, ...aPixelAround(box, size) } : copy;
  });
}

/** Whether a box is narrower or lower than one pixel of an image of that size. */
export function isUnderAPixel(box: NormalizedBox, size: FrameSize): boolean {
  const { xMin, yMin, xMax, yMax } = toPixels(box, size);
  return xMax - xMin < 1 - roundingPx || yMax - yMin < 1 - roundingPx;
}

/** The rounding error of fractions that were converted to pixels and back. */
const roundingPx = 1e-6;

function aPixelAround(box: NormalizedBox, size: FrameSize): NormalizedBox {
  const { xMin, yMin, xMax, yMax } = toPixels(box, size);
  const [left, top] = [clamp(xMin, 0, size.widthPx - 1), clamp(yMin, 0, size.heightPx - 1)];
  return normalizedBox({ xMin: left, yMin: top, xMax: Math.max(xMax, left + 1), yMax: Math.max(yMax, top + 1) }, size);
}

/** The copies, moved by a few pixels until none equals an existing box of its label. */
export function besideThose(
  copies: readonly AnnotatedBox[],
  there: readonly LabelledBox[],
  size: FrameSize,
): readonly AnnotatedBox[] {
  let beside = copies;
  for (let again = 0; again < mostSteps && beside.some((copy) => isAmong(copy, there)); again++)
    beside = shiftedAside(beside, size);
  return beside;
}

const mostSteps = 100;

/** Whether one of the boxes has the same label and the same corners. */
export function isAmong(box: LabelledBox, there: readonly LabelledBox[]): boolean {
  return there.some((other) => other.label === box.label && samePlace(other, box));
}

/** The window between two points of the image, with corners on whole pixels; null if it has no area. */
export function windowBetween(
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
  { widthPx, heightPx }: FrameSize,
): PixelWindow | null {
  const [x1, x2] = [from.x, to.x].map((x) => clamp(Math.round(x), 0, widthPx)) as [number, number];
  const [y1, y2] = [from.y, to.y].map((y) => clamp(Math.round(y), 0, heightPx)) as [number, number];
  if (x1 === x2 || y1 === y2) return null;
  return { xMin: Math.min(x1, x2), yMin: Math.min(y1, y2), xMax: Math.max(x1, x2), yMax: Math.max(y1, y2) };
}

/** The window of the list's "Add": half the image's width and height, in the middle. */
export function middleWindow({ widthPx, heightPx }: FrameSize): PixelWindow {
  const [width, height] = [Math.max(1, Math.round(widthPx / 4)), Math.max(1, Math.round(heightPx / 4))];
  const [xMin, yMin] = [Math.floor((widthPx - width) / 2), Math.floor((heightPx - height) / 2)];
  return { xMin, yMin, xMax: xMin + width, yMax: yMin + height };
}

/** A prediction that overlaps a box of its label by this much shows the same object. */
const sameObjectFrom = 0.8;

/** Predictions that do not lie on a box of the same label. */
export function newOnes(predictions: readonly LabelledBox[], boxes: readonly LabelledBox[]): readonly LabelledBox[] {
  return predictions.filter(
    (prediction) =>
      !boxes.some((box) => box.label === prediction.label && overlapOf(box, prediction) >= sameObjectFrom),
  );
}
