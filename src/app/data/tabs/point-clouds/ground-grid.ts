import type { PointCloud } from '../../../../ports/point-cloud.ts';

export interface GroundGrid {
  /** between two lines, in the unit of the file: 1, 2 or 5 of a power of ten */
  readonly step: number;
  /** x, y, z of the two ends of each line */
  readonly ends: Float32Array<ArrayBuffer>;
}

/** Lines below a cloud, about eight along its longer side: they tell its size, and what is up. Null for a cloud of one place. */
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

/** The nearest of 1, 2, 5, 10 … that is no smaller. */
function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const digit = [1, 2, 5].find((one) => one * power >= wanted * (1 - 1e-9)) ?? 10;
  return Number((digit * power).toPrecision(1));
}
