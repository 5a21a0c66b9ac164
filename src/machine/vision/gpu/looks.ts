import type { Lens } from '../camera-model/undistort.ts';
import { isGpuFrame, type AnyFrame, type GpuFrame } from './gpu-frame.ts';
import type { PictureSize } from '../trace/trace.ts';

/** A request for a picture of a frame, to be shown to a person. */
export interface Look {
  readonly frame: AnyFrame;
  /** null: full size */
  readonly longestSidePx: number | null;
  /**
   * the lens whose distortion is removed from the picture; absent: the frame is shown unchanged. The frame must
   * have the lens's size.
   */
  readonly lens?: Lens;
}

/** A picture that was drawn: an `ImageBitmap` in browsers. The receiver closes it. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  close(): void;
}

/** A look that the GPU draws while it holds the frame, after the first `afterSteps` of the frame's steps. */
export interface GpuLook {
  readonly afterSteps: number;
  readonly longestSidePx: number | null;
  readonly lens?: Lens;
}

/**
 * How the GPU can draw a look during a run of `ran`; null where the run does not pass through the frame that the
 * look shows.
 */
export function lookDuring({ frame, ...seen }: Look, ran: GpuFrame): GpuLook | null {
  if (!isGpuFrame(frame)) return frame === ran.source ? { afterSteps: 0, ...seen } : null;
  const { steps, source } = frame;
  const isOnItsWay = source === ran.source && steps.every((step, at) => step === ran.steps[at]);
  return isOnItsWay ? { afterSteps: steps.length, ...seen } : null;
}

/**
 * Computes the size of a picture that is drawn for a person. No side is under one pixel, and nothing is enlarged.
 * @param size of the frame, in pixels
 * @param longestSidePx most pixels of the longest side; null: full size
 * @returns the size in whole pixels, with the frame's proportions
 * @example
 * lookSize({ widthPx: 640, heightPx: 480 }, 320); // => { widthPx: 320, heightPx: 240 }
 * lookSize({ widthPx: 640, heightPx: 480 }, null); // => { widthPx: 640, heightPx: 480 }
 */
export function lookSize({ widthPx, heightPx }: PictureSize, longestSidePx: number | null): PictureSize {
  const scale = Math.min(1, (longestSidePx ?? Infinity) / Math.max(widthPx, heightPx));
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { widthPx: scaled(widthPx), heightPx: scaled(heightPx) };
}

/** Above this scale, making a picture smaller costs more than a smaller picture saves. */
const mostReducedScale = 0.9;

/**
 * The longest side at which a picture should be drawn to fill `within`; null: full size.
 * @param size of the frame, in pixels
 * @param within space on the screen, in device pixels; null: unknown
 * @returns the longest side in pixels; null: full size, as a smaller picture would save little
 * @example
 * longestSideWithin({ widthPx: 640, heightPx: 480 }, { widthPx: 320, heightPx: 320 }); // => 320
 * longestSideWithin({ widthPx: 640, heightPx: 480 }, { widthPx: 640, heightPx: 480 }); // => null
 */
export function longestSideWithin({ widthPx, heightPx }: PictureSize, within: PictureSize | null): number | null {
  if (!within) return null;
  const scale = Math.min(within.widthPx / widthPx, within.heightPx / heightPx);
  return scale > mostReducedScale ? null : scale * Math.max(widthPx, heightPx);
}

/** The pictures that were drawn during a run. */
export type DrawnPictures = Map<Look, Picture>;

/**
 * Takes the picture of a look out of the map. The caller closes it.
 * @param pictures what the GPU drew during a run; the taken picture is removed
 * @param look the frame and the size that are wanted
 * @returns the picture; null: none was drawn for this look
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * const look = { frame: patternFrame('rgba8', 4, 2), longestSidePx: null };
 * const picture = { width: 4, height: 2, close() {} };
 * const pictures = new Map([[look, picture]]);
 * takePicture(pictures, look) === picture; // => true
 * takePicture(pictures, look); // => null
 */
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

/**
 * Closes the pictures that nobody took, and empties the map.
 * @param pictures what the GPU drew during a run; undefined: nothing
 * @example
 * let closed = 0;
 * const pictures = new Map([[{}, { width: 4, height: 2, close: () => closed++ }]]);
 * closePictures(pictures);
 * [closed, pictures.size]; // => [1, 0]
 */
export function closePictures(pictures: DrawnPictures | undefined): void {
  for (const picture of pictures?.values() ?? []) picture.close();
  pictures?.clear();
}
