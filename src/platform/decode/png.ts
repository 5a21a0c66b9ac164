import { decode, type DecodedPng } from 'fast-png';
import type { Frame } from '../../vision/frame.ts';
import { checkFrameSize, ImageDecodeError } from './decode-error.ts';
import { readPngHeader, readPixelChunks } from './png-chunks.ts';

/**
 * Decodes a PNG pixel for pixel: 8 bits and below → `rgba8`, 16 bits → `rgba16`, alpha not premultiplied, gray repeated,
 * colour profile and gamma ignored (as the machine's decoder does). A palette's colours → `rgba16`, each sample × 257:
 * the machine stretches paletted images at 16 bits (nfnt/resize has an 8-bit path for every other kind of 8-bit image).
 * Of an animated PNG the default image.
 *
 * @throws ImageDecodeError
 */
export function decodePng(bytes: Uint8Array): Frame {
  const header = readPngHeader(bytes);
  checkFrameSize(header.widthPx, header.heightPx);
  if (header.interlaced && header.bitDepth < 8) {
    throw new ImageDecodeError(
      'unsupported-format',
      `This PNG is interlaced with ${header.bitDepth} bits a sample, which cannot be read here. Save it without interlacing.`,
    );
  }
  const chunks = readPixelChunks(bytes, header);
  let png: DecodedPng;
  try {
    // A broken checksum means other pixels than were saved, and the machine's decoder refuses it too.
    png = decode(chunks.png, { checkCrc: true });
  } catch (error) {
    throw new ImageDecodeError(
      'damaged',
      `The PNG cannot be decoded: ${(error as Error).message.replace(/[.:]*$/, '')}.`,
      {
        cause: error,
      },
    );
  }
  if (png.palette) return paletted(png, png.palette);
  return png.depth === 16 ? sixteenBit(png, chunks.transparentColour) : eightBit(png, chunks.transparentColour);
}

function paletted(png: DecodedPng, palette: readonly (readonly number[])[]): Frame {
  const { width, height, depth } = png;
  const samples = new Uint16Array(4 * width * height);
  const indices = depth < 8 ? unpackSamples(png) : (png.data as Uint8Array);
  for (let pixel = 0, o = 0; pixel < width * height; pixel++, o += 4) {
    // Opaque black for an index past the palette, as Go's image/png reads it.
    const [red = 0, green = 0, blue = 0, alpha = 255] = palette[indices[pixel]!] ?? [];
    samples[o] = red * 257;
    samples[o + 1] = green * 257;
    samples[o + 2] = blue * 257;
    samples[o + 3] = alpha * 257;
  }
  return { format: 'rgba16', widthPx: width, heightPx: height, samples };
}

function sixteenBit(png: DecodedPng, transparentSamples: readonly number[] | null): Frame {
  const { width, height, channels } = png;
  const from = png.data as Uint16Array;
  const samples = new Uint16Array(4 * width * height);
  const key = transparentColour(png, transparentSamples);
  for (let pixel = 0, i = 0, o = 0; pixel < width * height; pixel++, i += channels, o += 4) {
    const gray = channels < 3;
    samples[o] = from[i]!;
    samples[o + 1] = from[gray ? i : i + 1]!;
    samples[o + 2] = from[gray ? i : i + 2]!;
    samples[o + 3] = channels % 2 === 0 ? from[i + channels - 1]! : 0xffff;
    if (key && matches(samples, o, key)) samples[o + 3] = 0;
  }
  // 16-bit gray is how the machine's cameras send depths; a transparent colour makes it an ordinary picture in Go.
  const isDepth = channels === 1 && !transparentSamples;
  return { format: 'rgba16', widthPx: width, heightPx: height, samples, ...(isDepth && { isDepth }) };
}

function eightBit(png: DecodedPng, transparentSamples: readonly number[] | null): Frame {
  const { width, height, channels, depth } = png;
  const samples = new Uint8ClampedArray(4 * width * height);
  const from = depth < 8 ? unpackSamples(png) : (png.data as Uint8Array);
  const key = transparentColour(png, transparentSamples);
  const grayScale = 255 / (2 ** depth - 1); // 1, 2 and 4 bits spread over 0..255: ×255, ×85, ×17
  for (let pixel = 0, i = 0, o = 0; pixel < width * height; pixel++, i += channels, o += 4) {
    const gray = channels < 3;
    samples[o] = from[i]! * grayScale;
    samples[o + 1] = from[gray ? i : i + 1]! * grayScale;
    samples[o + 2] = from[gray ? i : i + 2]! * grayScale;
    samples[o + 3] = channels % 2 === 0 ? from[i + channels - 1]! : 255;
    if (key && matches(samples, o, key)) samples[o + 3] = 0;
  }
  return { format: 'rgba8', widthPx: width, heightPx: height, samples };
}

/** One sample a byte; every row starts on a byte (PNG §7.2). */
function unpackSamples(png: DecodedPng): Uint8Array {
  const { width, height, depth, data } = png;
  const bytesPerRow = Math.ceil((width * depth) / 8);
  const unpacked = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const byte = data[y * bytesPerRow + (bit >> 3)]!;
      unpacked[y * width + x] = (byte >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
    }
  }
  return unpacked;
}

/** The transparent colour as red, green and blue, scaled as the samples of the frame are. */
function transparentColour(
  { channels, depth }: DecodedPng,
  samples: readonly number[] | null,
): readonly number[] | null {
  if (!samples || samples.length < channels) return null;
  const scale = depth < 8 ? 255 / (2 ** depth - 1) : 1;
  const colour = samples.slice(0, channels).map((sample) => sample * scale);
  return channels === 1 ? [colour[0]!, colour[0]!, colour[0]!] : colour;
}

function matches(samples: Uint8ClampedArray | Uint16Array, at: number, colour: readonly number[]): boolean {
  return samples[at] === colour[0] && samples[at + 1] === colour[1] && samples[at + 2] === colour[2];
}
