import type { FrameSize, PixelWindow } from '../stage/pixel-window.ts';

/** What a box says. Corners are fractions of the image's width and height, from 0 to 1, min ≤ max. */
export interface BoxValue {
  /** '' = not named yet; such a box is not saved */
  readonly label: string;
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
  /** of the model that saw it, 0 to 1; null = a person drew or corrected it */
  readonly confidence: number | null;
}

/** A box in the editor. */
export interface AnnotatedBox extends BoxValue {
  /** the editor's own name for it, which stays when the service gives it another id */
  readonly key: string;
  /** seen by a model and not accepted yet: never saved */
  readonly predicted: boolean;
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
export function toPixels({ xMin, yMin, xMax, yMax }: BoxValue, { widthPx, heightPx }: FrameSize): PixelWindow {
  return { xMin: xMin * widthPx, yMin: yMin * heightPx, xMax: xMax * widthPx, yMax: yMax * heightPx };
}

/** The corners of a window as fractions of the image; what lies outside is cut to 0 and 1. */
export function toFractions(
  window: PixelWindow,
  { widthPx, heightPx }: FrameSize,
): Omit<BoxValue, 'label' | 'confidence'> {
  const fraction = (px: number, ofPx: number): number => Math.min(1, Math.max(0, px / ofPx));
  return {
    xMin: fraction(window.xMin, widthPx),
    yMin: fraction(window.yMin, heightPx),
    xMax: fraction(window.xMax, widthPx),
    yMax: fraction(window.yMax, heightPx),
  };
}

/** Whether two boxes say the same; two that are not there do. */
export function sameValue(a: BoxValue | null, b: BoxValue | null): boolean {
  if (a === null || b === null) return a === b;
  return a.label === b.label && a.confidence === b.confidence && samePlace(a, b);
}

export function samePlace(a: BoxValue, b: BoxValue): boolean {
  return a.xMin === b.xMin && a.yMin === b.yMin && a.xMax === b.xMax && a.yMax === b.yMax;
}

/** The box without what only the editor knows. */
export function valueOf({ label, xMin, yMin, xMax, yMax, confidence }: BoxValue): BoxValue {
  return { label, xMin, yMin, xMax, yMax, confidence };
}

/** How much two boxes cover each other: shared area by joint area, 0 to 1. */
export function overlapOf(a: BoxValue, b: BoxValue): number {
  const area = ({ xMin, yMin, xMax, yMax }: BoxValue): number => Math.max(0, xMax - xMin) * Math.max(0, yMax - yMin);
  const shared =
    Math.max(0, Math.min(a.xMax, b.xMax) - Math.max(a.xMin, b.xMin)) *
    Math.max(0, Math.min(a.yMax, b.yMax) - Math.max(a.yMin, b.yMin));
  const joint = area(a) + area(b) - shared;
  return joint > 0 ? shared / joint : 0;
}
