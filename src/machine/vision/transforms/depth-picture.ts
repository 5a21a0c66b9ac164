import type { Frame } from '../frame/frame.ts';
import { TransformError } from './transform-error.ts';

/** Marks what a step made of a depth picture as one too. */
export function depthAs<F extends Frame>(source: Frame, made: F): F {
  return source.isDepth ? { ...made, isDepth: true } : made;
}

/**
 * The angle by which the machine turns a depth picture: cut to whole degrees, and quarter turns only. For any other its
 * runtime panics or hangs. @throws TransformError depth-picture
 */
export function depthAngle(angleDegs: number): number {
  const wholeDegs = Math.trunc(angleDegs) + 0;
  if ([0, 90, 180, 270, -90].includes(wholeDegs)) return wholeDegs;
  throw new TransformError(
    'depth-picture',
    `Rotate: this frame is a depth picture (16-bit gray), which the machine turns by 0, 90, 180, 270 or -90 degrees only; ` +
      `by ${angleDegs} its runtime fails or hangs. Give it an 8-bit picture.`,
  );
}

/** @throws TransformError depth-picture */
export function refuseDepthOverlay(frame: Frame): void {
  if (!frame.isDepth) return;
  throw new TransformError(
    'depth-picture',
    'Crop: this frame is a depth picture (16-bit gray), on which the machine draws no crop box. Give it an 8-bit picture.',
  );
}
