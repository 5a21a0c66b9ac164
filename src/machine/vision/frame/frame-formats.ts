import type { EightBitFrame, Frame } from './frame.ts';

/** A frame whose samples are red, green, blue and straight alpha, 0..255. */
export type Rgba8Frame = EightBitFrame & { readonly format: 'rgba8' };

/**
 * Converts a frame to 8-bit RGBA. JPEG planes are converted with the fixed-point full-range matrix of JFIF, 16-bit
 * samples keep their high byte, alpha stays straight.
 * @param frame a frame of any format
 * @returns a frame of the same size; the frame itself if it is 8-bit RGBA already
 * @example
 * const frame = { format: 'rgba16', widthPx: 1, heightPx: 1, samples: Uint16Array.of(0x1234, 0, 0xff00, 0xffff) };
 * [...toRgba8(frame).samples]; // => [0x12, 0, 255, 255]
 */
export function toRgba8(frame: Frame): Rgba8Frame {
  if (frame.format === 'rgba8') return frame as Rgba8Frame;
  const { widthPx, heightPx } = frame;
  const samples = new Uint8ClampedArray(4 * widthPx * heightPx);
  if (frame.format === 'rgba16') {
    for (let i = 0; i < samples.length; i++) samples[i] = frame.samples[i]! >> 8;
  } else {
    samples.set(frame.samples);
    convertYcbcrToRgb(samples, 4);
  }
  return { format: 'rgba8', widthPx, heightPx, samples };
}

/**
 * Like `toRgba8`, but colours that were multiplied by their alpha are divided by it again and truncated, as the
 * machine's crop and rotation read such a picture (scanner of github.com/disintegration/imaging v1.6.2). Pixels of
 * alpha 0 become transparent black.
 * @param frame a frame of any format
 * @returns a frame of the same size with straight alpha
 * @example
 * const samples = Uint8ClampedArray.of(64, 0, 0, 255);
 * const frame = { format: 'rgba8', widthPx: 1, heightPx: 1, samples, alphaOnBlack: Uint8Array.of(128) };
 * [...toStraightRgba8(frame).samples]; // => [127, 0, 0, 128]
 */
export function toStraightRgba8(frame: Frame): Rgba8Frame {
  if (frame.format !== 'rgba8' || !frame.alphaOnBlack) return toRgba8(frame);
  const { alphaOnBlack, widthPx, heightPx } = frame;
  const samples = new Uint8ClampedArray(frame.samples.length);
  for (let pixel = 0, i = 0; pixel < alphaOnBlack.length; pixel++, i += 4) {
    const alpha = alphaOnBlack[pixel]!;
    if (alpha === 0) continue;
    for (let k = i; k < i + 3; k++) samples[k] = Math.trunc((frame.samples[k]! * 255) / alpha);
    samples[i + 3] = alpha;
  }
  return { format: 'rgba8', widthPx, heightPx, samples };
}

/**
 * Replaces Y, Cb, Cr (full range) by R, G, B in place, in every group of `samplesPerPixel` (3 or 4) samples; a fourth
 * sample is left alone. The array clamps: the matrix leaves 0..255 for colours that RGB lacks.
 */
export function convertYcbcrToRgb(samples: Uint8ClampedArray, samplesPerPixel: 3 | 4): void {
  for (let i = 0; i < samples.length; i += samplesPerPixel) {
    // JFIF's 1.402, 0.34414, 0.71414, 1.772 in 16.16 fixed point; 65793 = 0x10101 spreads Y over 24 bits (as Go's image/color).
    const y = samples[i]! * 65793;
    const cb = samples[i + 1]! - 128;
    const cr = samples[i + 2]! - 128;
    samples[i] = (y + 91881 * cr) >> 16;
    samples[i + 1] = (y - 22554 * cb - 46802 * cr) >> 16;
    samples[i + 2] = (y + 116130 * cb) >> 16;
  }
}

/**
 * The frame's pixels as one 32-bit number each, for copying whole pixels; shares the frame's memory where its
 * alignment allows.
 */
export function wholePixels({ samples }: Rgba8Frame): Uint32Array {
  const aligned = samples.byteOffset % 4 === 0 ? samples : samples.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}
