import type { CameraIntrinsics } from '../../config/face/machine-config.ts';
import { CameraModelError } from './camera-model-error.ts';

/**
 * Refuses the intrinsics that the machine's transform camera refuses. The machine reports all others as configured.
 * @throws CameraModelError negative-size
 */
export function checkIntrinsics({ widthPx, heightPx }: CameraIntrinsics): void {
  if (widthPx < 0 || heightPx < 0) {
    throw new CameraModelError(
      'negative-size',
      `Intrinsics are for ${widthPx}×${heightPx} px; neither size may be negative.`,
    );
  }
}

/**
 * Refuses intrinsics that cannot project a point: stricter than the machine, which never projects with them.
 * @throws CameraModelError negative-size, no-size, focal-length, principal-point
 */
export function checkProjection(intrinsics: CameraIntrinsics): void {
  checkIntrinsics(intrinsics);
  const { widthPx, heightPx, fx, fy, ppx, ppy } = intrinsics;
  if (widthPx === 0 || heightPx === 0) {
    throw new CameraModelError('no-size', `Intrinsics are for ${widthPx}×${heightPx} px; give width_px and height_px.`);
  }
  if (!(fx > 0 && fy > 0)) {
    throw new CameraModelError('focal-length', `Focal length is fx ${fx}, fy ${fy}; both must be above 0.`);
  }
  if (!(ppx >= 0 && ppy >= 0)) {
    throw new CameraModelError(
      'principal-point',
      `Principal point is ppx ${ppx}, ppy ${ppy}; neither may be negative.`,
    );
  }
}
