import type { ImageBox, LabelledBox } from '../../../capture/capture.ts';
import type { TrackMark } from '../../../datasets/tracks/track.ts';
import type { NormalizedBox } from '../../../vision/normalized-box.ts';
import type { FrameSize } from '../../../vision/frame.ts';
import type { PixelWindow } from '../../../vision/transforms/crop.ts';

/** A box that may belong to a track of its image's sequence. */
export interface TrackedBox extends LabelledBox {
  readonly track?: TrackMark;
}

/** A box that is kept with its image. */
export type KeptImageBox = ImageBox & TrackedBox;

/** A box in the editor. */
export interface AnnotatedBox extends TrackedBox {
  /** the editor's own name for it, which stays when the service gives it another id */
  readonly key: string;
  /** seen by a model and not accepted yet: never saved */
  readonly predicted: boolean;
}

/** Between key frames: computed of them, and never saved. */
export const isComputed = ({ track }: TrackedBox): boolean => track?.isKey === false;

export function countLabels(boxes: Iterable<{ readonly label: string }>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { label } of boxes) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** What an edit makes of a box; null = it is gone. */
export interface BoxChange {
  readonly key: string;
  readonly box: AnnotatedBox | null;
}

/** The edit that puts these boxes in place of those of their keys. */
export const changesTo = (boxes: readonly AnnotatedBox[]): readonly BoxChange[] =>
  boxes.map((box) => ({ key: box.key, box }));

/** The edit that takes these boxes away. */
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

/** Whether two boxes say the same; two that are not there do. */
export function sameValue(a: TrackedBox | null, b: TrackedBox | null): boolean {
  if (a === null || b === null) return a === b;
  return sameBox(a, b) && sameTrack(a, b);
}

/** Whether two boxes are the same, whatever tracks they are of. */
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

/** The box without what only the editor knows. */
export function valueOf({ label, confidence, track, ...box }: TrackedBox): TrackedBox {
  return { label, ...cornersOf(box), confidence, ...(track && { track }) };
}

/** Where the box is, without what is in it. */
export function cornersOf(box: NormalizedBox): NormalizedBox {
  const { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized } = box;
  return { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized };
}

/** How much two boxes cover each other: shared area by joint area, 0 to 1. */
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

/** 0 where the edges crossed. */
function areaOf({ xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }: NormalizedBox): number {
  return Math.max(0, xMaxNormalized - xMinNormalized) * Math.max(0, yMaxNormalized - yMinNormalized);
}
