import type { CameraDistortion, CameraIntrinsics } from '../../config/machine-config.ts';
import type { Frame, FrameSize } from '../frame.ts';
import { toRgba8, wholePixels, type Rgba8Frame } from '../frame-formats.ts';
import { CameraModelError } from './camera-model-error.ts';
import { distortPoint } from './distort-point.ts';
import { checkProjection } from './intrinsics.ts';

/** A lens model for removing distortion from a picture: the camera's projection and the distortion of its lens. */
export interface Lens {
  readonly intrinsics: CameraIntrinsics;
  readonly distortion: CameraDistortion;
}

/**
 * For each pixel of the undistorted picture, the index of the frame's pixel that it shows; -1: none. Computed once
 * for each camera.
 */
export interface UndistortionMap {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sourcePixel: Int32Array;
}

/**
 * Computes the map that `undistort` samples by; as large as the intrinsics say.
 * @throws CameraModelError as checkProjection
 */
export function undistortionMap(intrinsics: CameraIntrinsics, distortion: CameraDistortion): UndistortionMap {
  checkProjection(intrinsics);
  const { widthPx, heightPx, fx, fy, ppx, ppy } = intrinsics;
  const sourcePixel = new Int32Array(widthPx * heightPx).fill(-1);
  for (let v = 0, i = 0; v < heightPx; v++) {
    for (let u = 0; u < widthPx; u++, i++) {
      const [distortedX, distortedY] = distortPoint((u - ppx) / fx, (v - ppy) / fy, distortion);
      const x = distortedX * fx + ppx;
      const y = distortedY * fy + ppy;
      if (x >= 0 && y >= 0 && x <= widthPx - 1 && y <= heightPx - 1) {
        sourcePixel[i] = Math.round(y) * widthPx + Math.round(x);
      }
    }
  }
  return { widthPx, heightPx, sourcePixel };
}

/**
 * Checks that a frame of this size can be shown without the lens's distortion.
 * @throws CameraModelError as checkProjection; size-mismatch
 */
export function checkLens(frame: FrameSize, { intrinsics }: Lens): void {
  checkProjection(intrinsics);
  checkMapSize(frame, intrinsics);
}

/** Returns `undistortionMap` with a memory of one: the map of the lens that was asked for last is computed once. */
export function keptUndistortionMap(): (lens: Lens) => UndistortionMap {
  let kept: { readonly key: string; readonly map: UndistortionMap } | null = null;
  return (lens) => {
    const key = JSON.stringify([lens.intrinsics, lens.distortion]);
    if (kept?.key !== key) kept = { key, map: undistortionMap(lens.intrinsics, lens.distortion) };
    return kept.map;
  };
}

/** @throws CameraModelError size-mismatch: the map is for frames of another size */
export function checkMapSize(frame: FrameSize, { widthPx, heightPx }: FrameSize): void {
  if (frame.widthPx === widthPx && frame.heightPx === heightPx) return;
  throw new CameraModelError(
    'size-mismatch',
    `Intrinsics are for ${widthPx}×${heightPx} px, the frame has ${frame.widthPx}×${frame.heightPx}.`,
  );
}

/**
 * The frame without lens distortion, by nearest sample, opaque black outside. A preview: the machine's transform camera
 * applies no such step, and nothing undistorted may reach a model.
 * @throws CameraModelError size-mismatch
 */
export function undistort(frame: Frame, map: UndistortionMap): Rgba8Frame {
  checkMapSize(frame, map);
  const { widthPx, heightPx, sourcePixel } = map;
  const from = wholePixels(toRgba8(frame));
  const black = wholePixels({
    format: 'rgba8',
    widthPx: 1,
    heightPx: 1,
    samples: Uint8ClampedArray.of(0, 0, 0, 255),
  })[0]!;
  const into = Uint32Array.from(sourcePixel, (pixel) => (pixel < 0 ? black : from[pixel]!));
  return { format: 'rgba8', widthPx, heightPx, samples: new Uint8ClampedArray(into.buffer) };
}
