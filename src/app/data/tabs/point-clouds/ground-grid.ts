import type { PointCloud } from '../../../../platform/ports/point-cloud.ts';

export interface GroundGrid {
  /** distance between two lines, in the file's unit: 1, 2 or 5 times a power of ten */
  readonly step: number;
  /** x, y, z of the two ends of each line */
  readonly ends: Float32Array<ArrayBuffer>;
}

/**
 * A grid below a point cloud, about eight cells along its longer side. It shows the cloud's size and which way is up.
 * Null if all points have the same place.
 */
export function groundGrid({ min, max }: PointCloud['bounds']): GroundGrid | null {
  const longest = Math.max(max[0] - min[0], max[1] - min[1]);
  if (!(longest > 0) || !Number.isFinite(longest)) return null;
  const step = roundStep(longest / 8);
  const [lowX, highX] = [Math.floor(min[0] / step), Math.ceil(max[0] / step)];
  const [lowY, highY] = [Math.floor(min[1] / step), Math.ceil(max[1] / step)];
  const ends: number[] = [];
  for (let x = lowX; x <= highX; x++) ends.push(x * step, lowY * step, min[2], x * step, highY * step, min[2]);
  for (let y = lowY; y <= highY; y++) ends.push(lowX * step, y * step, min[2], highX * step, y * step, min[2]);
  return { step, ends: Float32Array.from(ends) };
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const digit = [1, 2, 5].find((one) => one * power >= wanted * (1 - 1e-9)) ?? 10;
  return Number((digit * power).toPrecision(1));
}
