import type { Frame } from '../frame/frame.ts';
import { toRgba8, wholePixels } from '../frame/frame-formats.ts';

/**
 * Reads the colours of a frame as the machine's colour detector does (`rimage.NewColorFromColor`): straight 8-bit colours
 * as they are, whatever their alpha; what was multiplied by its alpha, or has 16 bits, divided, rounded, and black where
 * it is transparent.
 * @param frame of any format
 * @returns one number a pixel: red + 256 · green + 65536 · blue; what lies above is to be ignored
 * @example
 * const samples = Uint8ClampedArray.of(1, 2, 3, 0);
 * machinePixels({ format: 'rgba8', widthPx: 1, heightPx: 1, samples })[0] & 0xffffff; // => 0x030201
 */
export function machinePixels(frame: Frame): Uint32Array {
  if (frame.format === 'rgba16') {
    const { samples } = frame;
    return roundedPixels(samples.length / 4, (i, channel) => {
      const alpha = samples[4 * i + 3]!;
      return divided(Math.trunc((samples[4 * i + channel]! * alpha) / 0xffff), alpha);
    });
  }
  // Every browser and every machine that Node runs on stores the lowest byte first.
  const pixels = wholePixels(toRgba8(frame));
  const { alphaOnBlack, samples } = frame;
  if (!alphaOnBlack) return pixels;
  return roundedPixels(alphaOnBlack.length, (i, channel) =>
    divided(samples[4 * i + channel]! * 257, alphaOnBlack[i]! * 257),
  );
}

/** A channel that was multiplied by its alpha, both 0..65535, as 0..255. */
function divided(channel: number, alpha: number): number {
  if (alpha === 0) return 0;
  return Math.trunc((Math.trunc((channel * 0xffff) / alpha) / 0xffff) * 255 + 0.5) & 255;
}

function roundedPixels(count: number, channelOf: (pixel: number, channel: 0 | 1 | 2) => number): Uint32Array {
  return Uint32Array.from(
    { length: count },
    (_, i) => channelOf(i, 0) + 256 * channelOf(i, 1) + 65536 * channelOf(i, 2),
  );
}
