import type { Rgba8Frame } from '../frame/frame-formats.ts';
import type { Frame } from '../frame/frame.ts';
import { isYuvFrame, yuvLayout, type ReadFrame, type YuvPlanes } from './yuv-frame.ts';
import type { YuvMatrix } from './yuv-matrix.ts';

/** Writes the opaque colour of one pixel to `into` at `at`. Every kernel must give the same bytes. */
function yuvPixel(frame: YuvPlanes, x: number, y: number, into: Uint8ClampedArray, at: number): void {
  const { planes, matrix, widthPx } = frame;
  const { u, v, chromaStride, chromaStep } = yuvLayout(frame);
  const chroma = chromaStride * (y >> 1) + chromaStep * (x >> 1); // that of the pixel's block of 2×2, not smoothed
  writeColour(planes[widthPx * y + x]!, planes[u + chroma]!, planes[v + chroma]!, matrix, into, at);
}

/** Converts Y, U and V to an opaque colour and writes it to `into` at `at`; the array clamps. */
export function writeColour(
  luma: number,
  u: number,
  v: number,
  matrix: YuvMatrix,
  into: Uint8ClampedArray,
  at: number,
): void {
  const brightness = ((luma * 257 * matrix.scale) >>> 16) + matrix.bias;
  const blueness = u - 128;
  const redness = v - 128;
  into[at] = (brightness + matrix.redOfV * redness) >> 6;
  into[at + 1] = (brightness - matrix.greenOfU * blueness - matrix.greenOfV * redness) >> 6;
  into[at + 2] = (brightness + matrix.blueOfU * blueness) >> 6;
  into[at + 3] = 255;
}

/**
 * The reference conversion: writes the frame's colours, opaque, to `into`.
 * @param frame camera planes
 * @param into receives 4 · widthPx · heightPx samples, row by row
 * @example
 * import { yuvMatrices } from './yuv-matrix.ts';
 * const [matrix] = yuvMatrices({ matrix: 'bt709', fullRange: true });
 * const into = new Uint8ClampedArray(4);
 * yuvToRgba({ format: 'i420', widthPx: 1, heightPx: 1, planes: Uint8Array.of(200, 128, 128), matrix }, into);
 * [...into]; // => [200, 200, 200, 255]
 */
export function yuvToRgba(frame: YuvPlanes, into: Uint8ClampedArray): void {
  for (let y = 0, at = 0; y < frame.heightPx; y++) {
    for (let x = 0; x < frame.widthPx; x++, at += 4) yuvPixel(frame, x, y, into, at);
  }
}

/**
 * Converts planes to a frame of pixels by the reference.
 * @param planes camera planes
 * @returns opaque 8-bit RGBA of the same size
 * @example
 * import { yuvMatrices } from './yuv-matrix.ts';
 * const [matrix] = yuvMatrices({ matrix: 'bt709', fullRange: true });
 * const { samples } = pixelsByReference({ format: 'i420', widthPx: 1, heightPx: 1, planes: Uint8Array.of(0, 128, 128), matrix });
 * [...samples]; // => [0, 0, 0, 255]
 */
export function pixelsByReference(planes: YuvPlanes): Rgba8Frame {
  const { widthPx, heightPx } = planes;
  const samples = new Uint8ClampedArray(4 * widthPx * heightPx);
  yuvToRgba(planes, samples);
  return { format: 'rgba8', widthPx, heightPx, samples };
}

/**
 * Makes a small picture of a frame for quick checks. Planes are sampled at the nearest pixel; a frame of pixels is
 * returned as it is.
 * @param frame pixels or camera planes
 * @param sidePx width and height of the result, for planes
 * @returns a frame of pixels
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * const frame = patternFrame('rgba8', 4, 2);
 * glanceAt(frame, 1) === frame; // => true
 */
export function glanceAt(frame: ReadFrame, sidePx: number): Frame {
  if (!isYuvFrame(frame)) return frame;
  const samples = new Uint8ClampedArray(4 * sidePx * sidePx);
  const nearest = (at: number, length: number) => Math.floor(((at + 0.5) * length) / sidePx);
  for (let y = 0, at = 0; y < sidePx; y++) {
    for (let x = 0; x < sidePx; x++, at += 4)
      yuvPixel(frame, nearest(x, frame.widthPx), nearest(y, frame.heightPx), samples, at);
  }
  return { format: 'rgba8', widthPx: sidePx, heightPx: sidePx, samples };
}
