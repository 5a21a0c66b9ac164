import type { Frame } from '../frame/frame.ts';
import { convertYcbcrToRgb } from '../frame/frame-formats.ts';
import type { FrameHeader } from './frame-header.ts';
import { unsupported } from './jpeg-error.ts';
import type { Plane } from './planes.ts';

/** What the application segments (APP0, APP14) say about colours. */
export interface ColourHints {
  /** the last APP0 segment is JFIF's, which knows gray and YCbCr only */
  readonly isJfif: boolean;
  /** from Adobe's last APP14 segment: 0: no transform (RGB, CMYK), 1: YCbCr, 2: YCCK; null: no such segment */
  readonly adobeTransform: number | null;
}

type Samples = Uint8ClampedArray<ArrayBuffer>;

/**
 * The planes as a frame: YCbCr stays so, with its chroma replicated; gray and RGB become `rgba8`, inks `rgba16`: the machine
 * stretches a picture of inks at 16 bits (nfnt/resize has no 8-bit path for it).
 */
export function frameOf(header: FrameHeader, planes: readonly Plane[], hints: ColourHints): Frame {
  const { widthPx, heightPx, components } = header;
  const size = { widthPx, heightPx };
  if (components.length === 1)
    return { format: 'rgba8', ...size, samples: interleaved(header, [planes[0]!, planes[0]!, planes[0]!]) };
  const samples = interleaved(header, planes as [Plane, Plane, Plane]);
  if (components.length === 3) return { format: isRgb(header, hints) ? 'rgba8' : 'ycbcr8', ...size, samples };
  if (hints.adobeTransform === null) {
    throw unsupported('This JPEG has 4 components and no Adobe marker that says what they are.');
  }
  if (hints.adobeTransform !== 0) {
    convertYcbcrToRgb(samples, 4);
    invert(samples);
  }
  return { format: 'rgba16', ...size, samples: darkened(samples, planes[3]!, header.widthPx) };
}

/** JFIF means YCbCr, an Adobe transform of 0 means RGB, and so do components named R, G, B. */
function isRgb({ components }: FrameHeader, { isJfif, adobeTransform }: ColourHints): boolean {
  if (isJfif) return false;
  return adobeTransform === 0 || String.fromCharCode(...components.map(({ id }) => id)) === 'RGB';
}

/** Three planes and 255, four samples a pixel; the second and third may have fewer samples, which are replicated. */
function interleaved({ widthPx, heightPx, components }: FrameHeader, planes: readonly [Plane, Plane, Plane]): Samples {
  const [{ samples: firsts, stride }, { samples: seconds, stride: chromaStride }, { samples: thirds }] = planes;
  const chroma = components[1] ?? components[0]!;
  const shiftX = Math.log2(components[0]!.blocksWide / chroma.blocksWide);
  const shiftY = Math.log2(components[0]!.blocksHigh / chroma.blocksHigh);
  const samples = new Uint8Array(4 * widthPx * heightPx);
  for (let y = 0, to = 0; y < heightPx; y++) {
    const row = y * stride;
    const chromaRow = (y >> shiftY) * chromaStride;
    for (let x = 0; x < widthPx; x++, to += 4) {
      const at = chromaRow + (x >> shiftX);
      samples[to] = firsts[row + x]!;
      samples[to + 1] = seconds[at]!;
      samples[to + 2] = thirds[at]!;
      samples[to + 3] = 255;
    }
  }
  return new Uint8ClampedArray(samples.buffer);
}

/** Inverts samples: the Y, Cb and Cr of YCCK encode the inks themselves, not the light that they leave. */
function invert(samples: Samples): void {
  for (let i = 0; i < samples.length; i += 4) {
    samples[i] = 255 - samples[i]!;
    samples[i + 1] = 255 - samples[i + 1]!;
    samples[i + 2] = 255 - samples[i + 2]!;
  }
}

/**
 * Takes the black ink's part of the light away. Adobe stores inks inverted: 255 is none, so that they are light already.
 * The arithmetic is that of Go's image/color, 16 bits wide.
 */
function darkened(samples: Samples, black: Plane, widthPx: number): Uint16Array<ArrayBuffer> {
  const wide = new Uint16Array(samples.length);
  for (let i = 0, pixel = 0; i < samples.length; i += 4, pixel++) {
    const x = pixel % widthPx;
    const light = black.samples[((pixel - x) / widthPx) * black.stride + x]! * 257;
    for (let k = i; k < i + 3; k++) wide[k] = Math.floor((samples[k]! * 257 * light) / 65535);
    wide[i + 3] = 65535;
  }
  return wide;
}
