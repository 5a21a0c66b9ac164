import type { PngColours } from './colours.ts';
import type { PngHeader } from './header.ts';

/**
 * Writes the pixels of one row to `at`, each `step` samples after the one before. Gray is repeated for red, green
 * and blue; alpha is filled in.
 */
export type WriteRow = (row: Uint8Array, count: number, at: number, step: number) => void;

/** The writer for 8 and fewer bits a sample, except palettes; fewer bits are scaled to 0..255. */
export function eightBitWriter(
  { colour, bitDepth }: PngHeader,
  { transparent }: PngColours,
  samples: Uint8ClampedArray,
): WriteRow {
  switch (colour) {
    case 'gray': {
      const scale = 255 / (2 ** bitDepth - 1); // ×255, ×85, ×17, ×1
      // Like the machine's decoder: only the low byte of the transparent colour counts, and scaling a value beyond
      // the range wraps.
      const key = transparent ? ((transparent[0]! & 255) * scale) & 255 : -1;
      return (row, count, at, step) => {
        for (let x = 0; x < count; x++, at += step) {
          const gray = packedSample(row, x, bitDepth) * scale;
          samples[at] = samples[at + 1] = samples[at + 2] = gray;
          samples[at + 3] = gray === key ? 0 : 255;
        }
      };
    }
    case 'rgb': {
      const [red, green, blue] = transparent?.map((sample) => sample & 255) ?? [-1, -1, -1];
      return (row, count, at, step) => {
        for (let i = 0, end = 3 * count; i < end; i += 3, at += step) {
          samples[at] = row[i]!;
          samples[at + 1] = row[i + 1]!;
          samples[at + 2] = row[i + 2]!;
          samples[at + 3] = row[i] === red && row[i + 1] === green && row[i + 2] === blue ? 0 : 255;
        }
      };
    }
    case 'gray-alpha':
      return (row, count, at, step) => {
        for (let i = 0, end = 2 * count; i < end; i += 2, at += step) {
          samples[at] = samples[at + 1] = samples[at + 2] = row[i]!;
          samples[at + 3] = row[i + 1]!;
        }
      };
    default:
      return (row, count, at, step) => {
        for (let i = 0, end = 4 * count; i < end; i += 4, at += step) {
          samples[at] = row[i]!;
          samples[at + 1] = row[i + 1]!;
          samples[at + 2] = row[i + 2]!;
          samples[at + 3] = row[i + 3]!;
        }
      };
  }
}

/** The writer for 16 bits a sample and for palettes, whose samples are multiplied by 257. */
export function sixteenBitWriter(header: PngHeader, colours: PngColours, samples: Uint16Array): WriteRow {
  if (header.colour === 'palette') return paletteWriter(header.bitDepth, colours.palette!, samples);
  const isGray = header.colour === 'gray' || header.colour === 'gray-alpha';
  const hasAlpha = header.colour === 'gray-alpha' || header.colour === 'rgb-alpha';
  const [green, blue, alpha] = isGray ? [0, 0, 2] : [2, 4, 6];
  const pixelBytes = (hasAlpha ? 2 : 0) + alpha;
  const key =
    colours.transparent && (isGray ? new Array<number>(3).fill(colours.transparent[0]!) : colours.transparent);
  const wide = (row: Uint8Array, i: number): number => (row[i]! << 8) | row[i + 1]!;
  return (row, count, at, step) => {
    for (let i = 0, end = pixelBytes * count; i < end; i += pixelBytes, at += step) {
      samples[at] = wide(row, i);
      samples[at + 1] = wide(row, i + green);
      samples[at + 2] = wide(row, i + blue);
      samples[at + 3] = hasAlpha ? wide(row, i + alpha) : 0xffff;
      if (key && samples[at] === key[0] && samples[at + 1] === key[1] && samples[at + 2] === key[2])
        samples[at + 3] = 0;
    }
  };
}

function paletteWriter(bitDepth: number, palette: Uint8Array, samples: Uint16Array): WriteRow {
  return (row, count, at, step) => {
    for (let x = 0; x < count; x++, at += step) {
      const from = 4 * packedSample(row, x, bitDepth);
      samples[at] = palette[from]! * 257;
      samples[at + 1] = palette[from + 1]! * 257;
      samples[at + 2] = palette[from + 2]! * 257;
      samples[at + 3] = palette[from + 3]! * 257;
    }
  };
}

/** Samples of fewer than 8 bits are packed into bytes from the highest bit down (PNG §7.2). */
function packedSample(row: Uint8Array, x: number, bitDepth: number): number {
  if (bitDepth === 8) return row[x]!;
  const bit = x * bitDepth;
  return (row[bit >> 3]! >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1);
}
