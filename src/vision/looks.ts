import { isGpuFrame, type AnyFrame, type GpuFrame } from './gpu-frame.ts';
import type { PictureSize } from './trace.ts';

/** A picture of a frame on its way, for a person. */
export interface Look {
  readonly frame: AnyFrame;
  /** null = in full */
  readonly longestSidePx: number | null;
}

/** What the host drew: an `ImageBitmap`, where there is one. Whoever takes it closes it. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  close(): void;
}

/** A look at a frame on the GPU while it is there, after the first `afterSteps` of its steps. */
export interface GpuLook {
  readonly afterSteps: number;
  readonly longestSidePx: number | null;
}

/** How a run of `ran` can draw a look; null where the frame that is looked at is none on its way. */
export function lookDuring({ frame, longestSidePx }: Look, ran: GpuFrame): GpuLook | null {
  if (!isGpuFrame(frame)) return frame === ran.source ? { afterSteps: 0, longestSidePx } : null;
  const { steps, source } = frame;
  const isOnItsWay = source === ran.source && steps.every((step, at) => step === ran.steps[at]);
  return isOnItsWay ? { afterSteps: steps.length, longestSidePx } : null;
}

/** The size of a picture that is at most so long; no side is under a pixel, and nothing is enlarged. */
export function lookSize({ widthPx, heightPx }: PictureSize, longestSidePx: number | null): PictureSize {
  const scale = Math.min(1, (longestSidePx ?? Infinity) / Math.max(widthPx, heightPx));
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { widthPx: scaled(widthPx), heightPx: scaled(heightPx) };
}

/** Above it, what a smaller picture saves on its way to the screen is lost by making it smaller. */
const mostReducedScale = 0.75;

/** How long a picture is drawn that need not be larger than fits `within`; null = in full. */
export function longestSideWithin({ widthPx, heightPx }: PictureSize, within: PictureSize | null): number | null {
  if (!within) return null;
  const scale = Math.min(within.widthPx / widthPx, within.heightPx / heightPx);
  return scale > mostReducedScale ? null : scale * Math.max(widthPx, heightPx);
}

/** What was drawn during a run. */
export type DrawnPictures = Map<Look, Picture>;

/** Takes a picture of such a frame out; null where none was drawn. The caller closes it. */
export function takePicture(
  pictures: DrawnPictures | undefined,
  frame: AnyFrame,
  longestSidePx: number | null,
): Picture | null {
  for (const [look, picture] of pictures ?? []) {
    if (look.frame !== frame || look.longestSidePx !== longestSidePx) continue;
    pictures!.delete(look);
    return picture;
  }
  return null;
}

/** Closes those that nobody took. */
export function closePictures(pictures: DrawnPictures | undefined): void {
  for (const picture of pictures?.values() ?? []) picture.close();
  pictures?.clear();
}
