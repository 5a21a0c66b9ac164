import type { Rgba8Frame } from '../frame-formats.ts';
import type { Frame, FrameSize } from '../frame.ts';
import type { YuvMatrix } from './yuv-matrix.ts';

/**
 * A frame of a camera or a video as it came: brightness a byte a pixel, colour a byte or two for four of them (4:2:0). Steps and captures
 * want colours: `pixels` converts it when first asked, and every answer is the same frame. A kernel takes the planes as they are.
 */
export interface YuvFrame extends YuvPlanes {
  /** the frame as a browser converts it, opaque */
  pixels(): Rgba8Frame;
}

export interface YuvPlanes {
  /** `i420`: a plane each of Y, U and V. `nv12`: one of Y, and one in which U and V lie side by side. */
  readonly format: 'i420' | 'nv12';
  readonly widthPx: number;
  readonly heightPx: number;
  /** the planes one after the other without padding: `yuvLayout` */
  readonly planes: Uint8Array<ArrayBuffer>;
  readonly matrix: YuvMatrix;
}

/** What was read of an image: pixels, or the planes of a camera. */
export type ReadFrame = Frame | YuvFrame;

export function isYuvFrame<F extends { readonly format: string }>(frame: F): frame is Extract<F, YuvPlanes> {
  return frame.format === 'i420' || frame.format === 'nv12';
}

/** A frame of these planes, converted by `convert` when and if somebody asks for its pixels. */
export function yuvFrame(planes: YuvPlanes, convert: (planes: YuvPlanes) => Rgba8Frame): YuvFrame {
  let pixels: Rgba8Frame | undefined;
  return { ...planes, pixels: () => (pixels ??= convert(planes)) };
}

/** Where in `planes` everything lies, in bytes; luma lies at 0, `widthPx` a row. Odd sizes have a last sample of chroma of their own. */
export function yuvLayout({ format, widthPx, heightPx }: Pick<YuvPlanes, 'format' | 'widthPx' | 'heightPx'>) {
  const columns = Math.ceil(widthPx / 2);
  const rows = Math.ceil(heightPx / 2);
  const u = widthPx * heightPx;
  return {
    u,
    v: format === 'i420' ? u + columns * rows : u + 1,
    /** from row to row of chroma */
    chromaStride: format === 'i420' ? columns : 2 * columns,
    /** from sample to sample */
    chromaStep: format === 'i420' ? 1 : 2,
    byteLength: u + 2 * columns * rows,
  };
}

/** Room for planes to be read into. */
export interface PlanesMemory {
  /** The caller's until `give`; null where there is none left. */
  take(byteLength: number): YuvPlanes['planes'] | null;
  /** Nobody looks at them any more. false where they are not from here. */
  give(planes: YuvPlanes['planes']): boolean;
}

/** Converts planes to opaque RGBA as a browser does, into 4 · widthPx · heightPx samples. Every implementation equals `yuvToRgba`. */
export type ConvertYuv = (planes: YuvPlanes, into: Uint8ClampedArray<ArrayBuffer>) => void;

/** As ConvertYuv, of the frame made smaller for a person to look at. Every implementation equals `shrinkToRgba`. */
export type ShrinkYuv = (planes: YuvPlanes, size: FrameSize, into: Uint8ClampedArray<ArrayBuffer>) => void;
