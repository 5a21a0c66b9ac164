import type { CameraDistortion, CameraIntrinsics } from '../../config/face/machine-config.ts';
import type { Frame, FrameSize } from '../frame/frame.ts';
import { toRgba8, wholePixels, type Rgba8Frame } from '../frame/frame-formats.ts';
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
 * Computes the map that `undistort` samples by. It is as large as the intrinsics say.
 * @param intrinsics size, focal lengths and principal point of the lens, in pixels
 * @param distortion Brown–Conrady coefficients; all 0: no distortion
 * @returns for each pixel, row by row, the index of the source pixel that it shows; -1: none
 * @throws CameraModelError as checkProjection
 * @example
 * const intrinsics = { widthPx: 2, heightPx: 1, fx: 1, fy: 1, ppx: 0, ppy: 0 };
 * const distortion = { rk1: 0, rk2: 0, rk3: 0, tp1: 0, tp2: 0 };
 * [...undistortionMap(intrinsics, distortion).sourcePixel]; // => [0, 1]
 * [...undistortionMap(intrinsics, { ...distortion, rk1: 1 }).sourcePixel]; // => [0, -1]
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
 * @param frame size of the frame, in pixels
 * @param lens the lens whose distortion is to be removed
 * @throws CameraModelError as checkProjection; size-mismatch
 * @example
 * const lens = { intrinsics: { widthPx: 640, heightPx: 480, fx: 500, fy: 500, ppx: 320, ppy: 240 }, distortion: { rk1: 0, rk2: 0, rk3: 0, tp1: 0, tp2: 0 } };
 * checkLens({ widthPx: 640, heightPx: 480 }, lens); // => undefined
 * checkLens({ widthPx: 320, heightPx: 240 }, lens); // throws: Intrinsics are for 640×480 px, the frame has 320×240.
 */
export function checkLens(frame: FrameSize, { intrinsics }: Lens): void {
  checkProjection(intrinsics);
  checkMapSize(frame, intrinsics);
}

/**
 * Makes an `undistortionMap` that remembers one map: asked again for the same lens, it does not compute.
 * @returns a function from a lens to its map; it throws CameraModelError as `undistortionMap`
 * @example
 * const lens = { intrinsics: { widthPx: 2, heightPx: 1, fx: 1, fy: 1, ppx: 0, ppy: 0 }, distortion: { rk1: 0, rk2: 0, rk3: 0, tp1: 0, tp2: 0 } };
 * const mapOf = keptUndistortionMap();
 * mapOf(lens) === mapOf(lens); // => true
 */
export function keptUndistortionMap(): (lens: Lens) => UndistortionMap {
  let kept: { readonly key: string; readonly map: UndistortionMap } | null = null;
  return (lens) => {
    const key = JSON.stringify([lens.intrinsics, lens.distortion]);
    if (kept?.key !== key) kept = { key, map: undistortionMap(lens.intrinsics, lens.distortion) };
    return kept.map;
  };
}

/**
 * Refuses a frame whose size is not the one that an undistortion map is for.
 * @param frame size of the frame, in pixels
 * @param map size that the map is for, in pixels
 * @throws CameraModelError size-mismatch
 * @example
 * checkMapSize({ widthPx: 4, heightPx: 2 }, { widthPx: 4, heightPx: 2 }); // => undefined
 * checkMapSize({ widthPx: 4, heightPx: 2 }, { widthPx: 2, heightPx: 2 }); // throws: the frame has 4×2
 */
export function checkMapSize(frame: FrameSize, { widthPx, heightPx }: FrameSize): void {
  if (frame.widthPx === widthPx && frame.heightPx === heightPx) return;
  throw new CameraModelError(
    'size-mismatch',
    `Intrinsics are for ${widthPx}×${heightPx} px, the frame has ${frame.widthPx}×${frame.heightPx}.`,
  );
}

/**
 * Removes lens distortion from a frame by nearest sample; pixels outside the source are opaque black. This is a
 * preview: the machine's transform camera applies no such step, and nothing undistorted may reach a model.
 * @param frame the picture of the distorting lens
 * @param map of `undistortionMap`, for frames of this size
 * @returns the picture of an ideal lens, of the same size
 * @throws CameraModelError size-mismatch
 * @example
 * const frame = { format: 'rgba8', widthPx: 2, heightPx: 1, samples: Uint8ClampedArray.of(9, 9, 9, 255, 7, 7, 7, 255) };
 * const map = { widthPx: 2, heightPx: 1, sourcePixel: Int32Array.of(1, -1) };
 * [...undistort(frame, map).samples]; // => [7, 7, 7, 255, 0, 0, 0, 255]
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
