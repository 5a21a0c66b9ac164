import type { FrameSize } from '../frame/frame.ts';
import { yuvLayout, type YuvPlanes } from './yuv-frame.ts';
import { writeColour } from './yuv-to-rgba.ts';

/** A plane of bytes, row by row. */
interface Plane extends FrameSize {
  readonly samples: Uint8Array;
}

/**
 * Writes the frame's colours, opaque and no larger than the frame, to `into`, which has 4 · widthPx · heightPx
 * samples. Every kernel must give the same bytes. For display only: each plane is halved as often as possible, and
 * then the two nearest samples on each axis are interpolated, so that no sample is skipped.
 * @param frame camera planes
 * @param size of the result in pixels, no larger than the frame
 * @param into receives opaque RGBA, row by row
 * @example
 * import { yuvMatrices } from './yuv-matrix.ts';
 * const [matrix] = yuvMatrices({ matrix: 'bt709', fullRange: true });
 * const planes = Uint8Array.of(100, 100, 100, 100, 128, 128);
 * const into = new Uint8ClampedArray(4);
 * shrinkToRgba({ format: 'i420', widthPx: 2, heightPx: 2, planes, matrix }, { widthPx: 1, heightPx: 1 }, into);
 * [...into]; // => [100, 100, 100, 255]
 */
export function shrinkToRgba(frame: YuvPlanes, { widthPx, heightPx }: FrameSize, into: Uint8ClampedArray): void {
  const [luma, u, v] = planesOf(frame).map((plane) => shrink(plane, widthPx, heightPx));
  for (let at = 0; at < widthPx * heightPx; at++)
    writeColour(luma!.samples[at]!, u!.samples[at]!, v!.samples[at]!, frame.matrix, into, 4 * at);
}

function planesOf(frame: YuvPlanes): readonly Plane[] {
  const { planes, widthPx, heightPx } = frame;
  const { u, v, chromaStep } = yuvLayout(frame);
  const chroma = { widthPx: Math.ceil(widthPx / 2), heightPx: Math.ceil(heightPx / 2) };
  const count = chroma.widthPx * chroma.heightPx;
  const chromaFrom = (start: number): Plane => ({
    ...chroma,
    samples: Uint8Array.from({ length: count }, (_, at) => planes[start + chromaStep * at]!),
  });
  return [{ widthPx, heightPx, samples: planes.subarray(0, widthPx * heightPx) }, chromaFrom(u), chromaFrom(v)];
}

function shrink(plane: Plane, widthPx: number, heightPx: number): Plane {
  let halved = plane;
  while (halved.heightPx >= 2 * heightPx) halved = halveRows(halved);
  while (halved.widthPx >= 2 * widthPx) halved = halveColumns(halved);
  const rows = mapPlane({ widthPx: halved.widthPx, heightPx }, (x, y) =>
    mix(positionOf(y, halved.heightPx, heightPx), (at) => halved.samples[at * halved.widthPx + x]!),
  );
  return mapPlane({ widthPx, heightPx }, (x, y) =>
    mix(positionOf(x, halved.widthPx, widthPx), (at) => rows.samples[y * halved.widthPx + at]!),
  );
}

function halveRows({ widthPx, heightPx, samples }: Plane): Plane {
  const at = (x: number, y: number) => samples[Math.min(y, heightPx - 1) * widthPx + x]!;
  const halved = { widthPx, heightPx: Math.ceil(heightPx / 2) };
  return mapPlane(halved, (x, y) => (at(x, 2 * y) + at(x, 2 * y + 1) + 1) >> 1);
}

function halveColumns({ widthPx, heightPx, samples }: Plane): Plane {
  const at = (x: number, y: number) => samples[y * widthPx + Math.min(x, widthPx - 1)]!;
  const halved = { widthPx: Math.ceil(widthPx / 2), heightPx };
  return mapPlane(halved, (x, y) => (at(2 * x, y) + at(2 * x + 1, y) + 1) >> 1);
}

function mapPlane({ widthPx, heightPx }: FrameSize, sampleAt: (x: number, y: number) => number): Plane {
  const samples = new Uint8Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++) for (let x = 0; x < widthPx; x++) samples[y * widthPx + x] = sampleAt(x, y);
  return { widthPx, heightPx, samples };
}

/** The position of output sample `at` of `toLength` among `length` input samples, in 128ths. */
function positionOf(at: number, length: number, toLength: number): number {
  const position = Math.trunc(((2 * at + 1) * length * 64) / toLength) - 64;
  return Math.max(0, Math.min(position, 128 * (length - 1)));
}

function mix(position: number, sampleAt: (at: number) => number): number {
  const before = position >> 7;
  const weight = position & 127;
  if (weight === 0) return sampleAt(before);
  return ((128 - weight) * sampleAt(before) + weight * sampleAt(before + 1) + 64) >> 7;
}
