import type { ImageBox, LabelledBox } from '../../../../evidence/capture/capture.ts';
import type { TrackMark } from '../../../../evidence/datasets/face/tracks.ts';
import type { NormalizedBox } from '../../../../machine/vision/face/results.ts';
import type { FrameSize } from '../../../../machine/vision/face/frames.ts';
import type { PixelWindow } from '../../../../machine/vision/face/cameras.ts';

/** A box that may belong to a track of its image's sequence. */
export interface TrackedBox extends LabelledBox {
  readonly track?: TrackMark;
}

/** A box that is stored with its image. */
export type KeptImageBox = ImageBox & TrackedBox;

/** A box in the editor. */
export interface AnnotatedBox extends TrackedBox {
  /** the editor's own id, which stays the same when the service assigns another id */
  readonly key: string;
  /** found by a model and not accepted yet; never saved */
  readonly predicted: boolean;
}

/** Whether the box lies between key frames: it is computed from them, and never saved. */
export const isComputed = ({ track }: TrackedBox): boolean => track?.isKey === false;

export function countLabels(boxes: Iterable<{ readonly label: string }>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { label } of boxes) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** The effect of an edit on a box; null: the box is removed. */
export interface BoxChange {
  readonly key: string;
  readonly box: AnnotatedBox | null;
}

/** The edit that replaces the boxes with these keys by these boxes. */
export const changesTo = (boxes: readonly AnnotatedBox[]): readonly BoxChange[] =>
  boxes.map((box) => ({ key: box.key, box }));

/** The edit that removes these boxes. */
export const removalOf = (boxes: readonly AnnotatedBox[]): readonly BoxChange[] =>
  boxes.map(({ key }) => ({ key, box: null }));

/** The box in pixels of the image, not rounded. */
export function toPixels(box: NormalizedBox, { widthPx, heightPx }: FrameSize): PixelWindow {
  return {
    xMin: box.xMinNormalized * widthPx,
    yMin: box.yMinNormalized * heightPx,
    xMax: box.xMaxNormalized * widthPx,
    yMax: box.yMaxNormalized * heightPx,
  };
}

/** A window of the image as a box; what lies outside is cut to 0 and 1. */
export function normalizedBox(window: PixelWindow, { widthPx, heightPx }: FrameSize): NormalizedBox {
  const fraction = (px: number, ofPx: number): number => Math.min(1, Math.max(0, px / ofPx));
  return {
    xMinNormalized: fraction(window.xMin, widthPx),
    yMinNormalized: fraction(window.yMin, heightPx),
    xMaxNormalized: fraction(window.xMax, widthPx),
    yMaxNormalized: fraction(window.yMax, heightPx),
  };
}

/** Whether two boxes have equal values; two nulls are equal. */
export function sameValue(a: TrackedBox | null, b: TrackedBox | null): boolean {
  if (a === null || b === null) return a === b;
  return sameBox(a, b) && sameTrack(a, b);
}

/** Whether two boxes are equal, apart from their tracks. */
export const sameBox = (a: LabelledBox, b: LabelledBox): boolean =>
  a.label === b.label && a.confidence === b.confidence && samePlace(a, b);

function sameTrack({ track: a }: TrackedBox, { track: b }: TrackedBox): boolean {
  return a?.id === b?.id && a?.isKey === b?.isKey && a?.isLast === b?.isLast;
}

export function samePlace(a: NormalizedBox, b: NormalizedBox): boolean {
  return (
    a.xMinNormalized === b.xMinNormalized &&
    a.yMinNormalized === b.yMinNormalized &&
    a.xMaxNormalized === b.xMaxNormalized &&
    a.yMaxNormalized === b.yMaxNormalized
  );
}

/** The box without the editor's own fields. */
export function valueOf({ label, confidence, track, ...box }: TrackedBox): TrackedBox {
  return { label, ...cornersOf(box), confidence, ...(track && { track }) };
}

/** The corners of the box alone. */
export function cornersOf(box: NormalizedBox): NormalizedBox {
  const { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized } = box;
  return { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized };
}

/** Intersection over union of two boxes, 0 to 1. */
export function overlapOf(a: NormalizedBox, b: NormalizedBox): number {
  const shared = areaOf({
    xMinNormalized: Math.max(a.xMinNormalized, b.xMinNormalized),
    yMinNormalized: Math.max(a.yMinNormalized, b.yMinNormalized),
    xMaxNormalized: Math.min(a.xMaxNormalized, b.xMaxNormalized),
    yMaxNormalized: Math.min(a.yMaxNormalized, b.yMaxNormalized),
  });
  const joint = areaOf(a) + areaOf(b) - shared;
  return joint > 0 ? shared / joint : 0;
}

/** 0 if the edges are crossed. */
function areaOf({ xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }: NormalizedBox): number {
  return Math.max(0, xMaxNormalized - xMinNormalized) * Math.max(0, yMaxNormalized - yMinNormalized);
}
