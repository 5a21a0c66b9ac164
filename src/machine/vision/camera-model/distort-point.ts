import type { CameraDistortion } from '../../config/face/machine-config.ts';

/**
 * Where the lens puts a point of the ideal image: modified Brown–Conrady, in normalized coordinates (x/z, y/z).
 * Same order of terms as OpenCV's camera calibration, tangential coefficients p1 = tp1, p2 = tp2.
 */
export function distortPoint(x: number, y: number, { rk1, rk2, rk3, tp1, tp2 }: CameraDistortion): [number, number] {
  const r2 = x * x + y * y;
  const radial = 1 + rk1 * r2 + rk2 * r2 * r2 + rk3 * r2 * r2 * r2;
  return [
    x * radial + (2 * tp1 * x * y + tp2 * (r2 + 2 * x * x)),
    y * radial + (2 * tp2 * x * y + tp1 * (r2 + 2 * y * y)),
  ];
}
