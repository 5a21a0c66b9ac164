import { slice } from '../../onnx/face/graphs.ts';
import type { Head } from '../structure/family.ts';
import { cornersOfCentres } from './boxes.ts';

/** A box that a network says offsets to: centre and size, as shares of the input. */
export interface Prior {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How offsets are written. */
export interface OffsetCoding {
  /** factors of the offsets of centres and of the logarithms of sizes, called variances */
  readonly variances: readonly [number, number];
  /** whether x, y, width, height or y, x, height, width */
  readonly order: 'x first' | 'y first';
}

/** A size above e³⁰ priors is no box; its exponential would be infinite and spoil the others. */
const largestExponent = 30;

/** [N,4] centre x, centre y, width, height. */
export function priorTable({ build }: Head, priors: readonly Prior[]): string {
  const rows = priors.flatMap(({ x, y, width, height }) => [x, y, width, height]);
  return build.floats([priors.length, 4], rows);
}

/**
 * Offsets [T,4] to `priors` [T,4] (centres and sizes as shares) → corners [T,4] as shares: the centre moves by sizes of the prior, the size
 * is the prior's times an exponential, as SSD has it (Liu et al. 2016, section 2.2).
 */
export function cornersOfOffsets(
  head: Head,
  offsets: string,
  priors: string,
  { variances, order }: OffsetCoding,
): string {
  const { build } = head;
  const xFirst =
    order === 'x first' ? offsets : build.add('Gather', [offsets, build.ints([4], [1, 0, 3, 2])], { axis: { int: 1 } });
  const [ofCentre, ofSize] = variances;
  const scaled = build.add('Mul', [xFirst, build.floats([4], [ofCentre, ofCentre, ofSize, ofSize])]);
  const sizes = slice(build, priors, 1, 2, 4);
  const moved = build.add('Mul', [slice(build, scaled, 1, 0, 2), sizes]);
  const centre = build.add('Add', [slice(build, priors, 1, 0, 2), moved]);
  const exponent = build.add('Min', [slice(build, scaled, 1, 2, 4), build.floats([], [largestExponent])]);
  const size = build.add('Mul', [build.add('Exp', [exponent]), sizes]);
  return cornersOfCentres(head, build.add('Concat', [centre, size], { axis: { int: 1 } }), 'proportional');
}

/** Offsets [T,2K] of key points, x and y each, to `priors` [T,4] → places as shares: they move by sizes of the prior, as centres do. */
export function pointsOfOffsets(
  { build }: Head,
  offsets: string,
  priors: string,
  count: number,
  variance: number,
): string {
  const ofPriors = (x: number, y: number) => {
    const columns = Array.from({ length: count }, () => [x, y]).flat();
    return build.add('Gather', [priors, build.ints([columns.length], columns)], { axis: { int: 1 } });
  };
  const moved = build.add('Mul', [build.add('Mul', [offsets, build.floats([], [variance])]), ofPriors(2, 3)]);
  return build.add('Add', [ofPriors(0, 1), moved]);
}
