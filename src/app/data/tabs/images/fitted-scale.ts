import type { PictureSize } from '../../../../machine/vision/face/traces.ts';

/**
 * The scale at which a whole picture is shown, where `whole` would fill the stage. A picture that fits is not enlarged, except
 * twice if there is room for more than that, and up to eight times if it is smaller than 64×64.
 */
export function fittedScale(whole: number, { widthPx, heightPx }: PictureSize): number {
  if (widthPx < 64 && heightPx < 64) return Math.min(8, whole);
  return Math.min(whole > 2 ? 2 : 1, whole);
}
