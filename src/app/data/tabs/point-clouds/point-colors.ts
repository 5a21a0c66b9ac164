import type { PointCloud } from '../../../../platform/ports/point-cloud.ts';

export type ColorBy = 'height' | 'intensity' | 'rgb';

/** The ways to colour the points of a cloud; its own colours come first. */
export const colorings = ({ colors, intensities }: PointCloud): readonly ColorBy[] => [
  ...(colors ? (['rgb'] as const) : []),
  ...(intensities ? (['intensity'] as const) : []),
  'height',
];

/**
 * Red, green and blue of each point, 0..1. Heights and intensities are scaled by their 1st and 99th percentile, so that
 * outliers do not reduce the contrast of the rest.
 */
export function pointColors(cloud: PointCloud, by: ColorBy): Float32Array<ArrayBuffer> {
  if (by === 'rgb' && cloud.colors) return cloud.colors;
  const valueOf =
    by === 'intensity' && cloud.intensities
      ? (at: number) => cloud.intensities![at]!
      : (at: number) => cloud.positions[at * 3 + 2]!;
  const [low, high] = spread(cloud.count, valueOf);
  const colors = new Float32Array(cloud.count * 3);
  for (let at = 0; at < cloud.count; at++) {
    const share = high > low ? Math.min(1, Math.max(0, (valueOf(at) - low) / (high - low))) : 0.5;
    const [red, green, blue] = ramp(share);
    colors[at * 3] = red;
    colors[at * 3 + 1] = green;
    colors[at * 3 + 2] = blue;
  }
  return colors;
}

/** The 1st and 99th percentile, from a sample of about 5000 points. */
function spread(count: number, valueOf: (at: number) => number): readonly [number, number] {
  const step = Math.max(1, Math.floor(count / 5000));
  const some: number[] = [];
  for (let at = 0; at < count; at += step) if (Number.isFinite(valueOf(at))) some.push(valueOf(at));
  some.sort((a, b) => a - b);
  const at = (share: number): number => some[Math.min(some.length - 1, Math.floor(share * some.length))] ?? 0;
  return [at(0.01), at(0.99)];
}

// From blue over green to yellow, with brightness growing evenly, so that the scale suits every kind of colour vision.
const stops = [
  [0.05, 0.12, 0.42],
  [0.03, 0.32, 0.5],
  [0.08, 0.52, 0.42],
  [0.42, 0.7, 0.22],
  [0.95, 0.86, 0.2],
] as const;

function ramp(share: number): readonly [number, number, number] {
  const place = share * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(place));
  const [from, to] = [stops[index]!, stops[index + 1]!];
  const mix = (axis: 0 | 1 | 2): number => from[axis] + (to[axis] - from[axis]) * (place - index);
  return [mix(0), mix(1), mix(2)];
}
