import { convertYcbcrToRgb } from '../frame/frame-formats.ts';
import type { EightBitFrame, Frame } from '../frame/frame.ts';
import { isYuvFrame, type ReadFrame } from '../yuv/yuv-frame.ts';
import { TransformError } from './transform-error.ts';

/**
 * A built-in webcam's frame as a transform camera reads it: a last odd column and a last odd row are left away, and what was
 * cropped is opaque 8-bit RGB then. An even frame comes back as it is.
 * @throws TransformError empty-window when nothing remains of a frame one pixel wide or high; depth-picture
 */
export function cropToEven(read: Frame): Frame;
export function cropToEven(read: ReadFrame): ReadFrame;
export function cropToEven(read: ReadFrame): ReadFrame {
  const widthPx = read.widthPx - (read.widthPx % 2);
  const heightPx = read.heightPx - (read.heightPx % 2);
  if (widthPx === read.widthPx && heightPx === read.heightPx) return read;
  const frame = isYuvFrame(read) ? read.pixels() : read;
  const size = `${frame.widthPx}×${frame.heightPx}`;
  if (widthPx === 0 || heightPx === 0) {
    throw new TransformError(
      'empty-window',
      `A built-in webcam's frame is cropped to even sizes, and nothing remains of ${size}.`,
    );
  }
  if (frame.isDepth) {
    throw new TransformError(
      'depth-picture',
      `This frame is a depth picture (16-bit gray) of ${size}, and of a built-in webcam the machine reads none of an odd size.`,
    );
  }
  const samples = new Uint8ClampedArray(4 * widthPx * heightPx);
  for (let y = 0, into = 0; y < heightPx; y++) {
    const from = 4 * y * frame.widthPx;
    for (let i = from; i < from + 4 * widthPx; i += 4, into += 4) copyOpaque(frame, i, samples, into);
  }
  if (frame.format === 'ycbcr8') convertYcbcrToRgb(samples, 4);
  const cropped: EightBitFrame = { format: 'rgba8', widthPx, heightPx, samples };
  return cropped;
}

/** Alpha is forgotten. Go's 16-bit colours are multiplied by it; the machine divides them again and rounds to 8 bits. */
function copyOpaque({ format, samples }: Frame, i: number, onto: Uint8ClampedArray, into: number): void {
  const most = format === 'rgba16' ? 0xffff : 0xff;
  const alpha = samples[i + 3]!;
  const spread = 0xffff / most;
  for (let k = 0; k < 3; k++) {
    const sample = samples[i + k]!;
    if (most === 0xff) onto[into + k] = sample;
    else if (alpha > 0) {
      const multiplied = Math.floor((sample * spread * alpha) / most);
      const straight = Math.floor((multiplied * 0xffff) / (alpha * spread));
      onto[into + k] = Math.floor((straight / 0xffff) * 255 + 0.5);
    }
  }
  onto[into + 3] = 255;
}
