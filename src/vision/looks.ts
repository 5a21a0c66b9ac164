import type { Lens } from './camera-model/undistort.ts';
import { isGpuFrame, type AnyFrame, type GpuFrame } from './gpu-frame.ts';
import type { PictureSize } from './trace.ts';

/** A picture of a frame on its way, for a person. */
export interface Look {
  readonly frame: AnyFrame;
  /** null = in full */
  readonly longestSidePx: number | null;
  /** whose distortion is taken out of it; absent = it is shown as it is. The frame has the lens's size. */
  readonly lens?: Lens;
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
  readonly lens?: Lens;
}

/** How a run of `ran` can draw a look; null where the frame that is looked at is none on its way. */
export function lookDuring({ frame, ...seen }: Look, ran: GpuFrame): GpuLook | null {
  if (!isGpuFrame(frame)) return frame === ran.source ? { afterSteps: 0, ...seen } : null;
  const { steps, source } = frame;
  const isOnItsWay = source === ran.source && steps.every((step, at) => step === ran.steps[at]);
  return isOnItsWay ? { afterSteps: steps.length, ...seen } : null;
}

/** The size of a picture that is at most so long; no side is under a pixel, and nothing is enlarged. */
export function lookSize({ widthPx, heightPx }: PictureSize, longestSidePx: number | null): PictureSize {
  const scale = Math.min(1, (longestSidePx ?? Infinity) / Math.max(widthPx, heightPx));
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { widthPx: scaled(widthPx), heightPx: scaled(heightPx) };
}

/** Above it, what a smaller picture saves on its way to the screen is lost by making it smaller. */
const mostReducedScale = 0.9;

/** How long a picture is drawn that need not be larger than fits `within`; null = in full. */
export function longestSideWithin({ widthPx, heightPx }: PictureSize, within: PictureSize | null): number | null {
  if (!within) return null;
  const scale = Math.min(within.widthPx / widthPx, within.heightPx / heightPx);
  return scale > mostReducedScale ? null : scale * Math.max(widthPx, heightPx);
}

/** What was drawn during a run. */
export type DrawnPictures = Map<Look, Picture>;

/** Takes the picture of such a look out; null where none was drawn. The caller closes it. */
export function takePicture(pictures: DrawnPictures | undefined, { frame, longestSidePx, lens }: Look): Picture | null {
  for (const [drawn, picture] of pictures ?? []) {
    if (drawn.frame !== frame || drawn.longestSidePx !== longestSidePx || !isSame(drawn.lens, lens)) continue;
    pictures!.delete(drawn);
    return picture;
  }
  return null;
}

const isSame = (a: Lens | undefined, b: Lens | undefined): boolean =>
  a?.intrinsics === b?.intrinsics && a?.distortion === b?.distortion;

/** Closes those that nobody took. */
export function closePictures(pictures: DrawnPictures | undefined): void {
  for (const picture of pictures?.values() ?? []) picture.close();
  pictures?.clear();
}
