import { encode } from 'fast-png';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { type Frame, toStraightRgba8 } from '../../machine/vision/face/frames.ts';
import { ImageDecodeError } from '../decode/image-decode-error.ts';
import { unreadableImage } from '../../machine/vision/face/image-kinds.ts';
import { decodeStill } from '../decode/still.ts';

/**
 * Reads a PNG or JPEG file, by its bytes and not by its name.
 *
 * @throws ImageDecodeError, or the file system's own error
 */
export async function readFrameFile(path: string): Promise<Frame> {
  const bytes = await readFile(path);
  const frame = decodeStill(bytes);
  if (frame) return frame;
  throw new ImageDecodeError(
    'unsupported-format',
    `"${path}" is neither PNG nor JPEG (it starts with ${describeStart(bytes)}). ${unreadableImage(bytes)}`,
  );
}

/** A frame as a lossless PNG: 16 bits a sample where the frame has them, straight alpha only where something is transparent. */
export function pngOf(frame: Frame): Uint8Array {
  const { widthPx: width, heightPx: height } = frame;
  const { samples } = frame.format === 'rgba16' ? frame : toStraightRgba8(frame);
  const depth = frame.format === 'rgba16' ? 16 : 8;
  return isOpaque(samples, 2 ** depth - 1)
    ? encode({ width, height, data: withoutAlpha(samples), channels: 3, depth })
    : encode({ width, height, data: samples, channels: 4, depth });
}

/** Writes a frame as `pngOf`. */
export async function writePngFile(path: string, frame: Frame): Promise<void> {
  // Under its name only once it is whole: a watcher never reads half a picture.
  const unfinished = `${path}.${process.pid}.part`;
  await writeFile(unfinished, pngOf(frame));
  await rename(unfinished, path);
}

function isOpaque(samples: Uint8ClampedArray | Uint16Array, full: number): boolean {
  for (let i = 3; i < samples.length; i += 4) if (samples[i] !== full) return false;
  return true;
}

function withoutAlpha(samples: Uint8ClampedArray | Uint16Array): Uint8Array | Uint16Array {
  const length = (samples.length / 4) * 3;
  const colours = samples instanceof Uint16Array ? new Uint16Array(length) : new Uint8Array(length);
  for (let from = 0, to = 0; from < samples.length; from += 4, to += 3) {
    colours[to] = samples[from]!;
    colours[to + 1] = samples[from + 1]!;
    colours[to + 2] = samples[from + 2]!;
  }
  return colours;
}

function describeStart(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'nothing: the file is empty';
  const start = bytes.subarray(0, 8);
  return [...start].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
