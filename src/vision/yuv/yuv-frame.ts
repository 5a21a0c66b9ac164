import type { Rgba8Frame } from '../frame-formats.ts';
import type { Frame, FrameSize } from '../frame.ts';
import type { YuvMatrix } from './yuv-matrix.ts';

/**
 * A frame of a camera or a video as it was read: one byte of luma a pixel, one U and one V for four pixels (4:2:0).
 * Steps and captures need colours: `pixels` converts the frame when first asked and returns the same frame
 * afterwards. A kernel reads the planes directly.
 */
export interface YuvFrame extends YuvPlanes {
  /** the frame as a browser converts it, opaque */
  pixels(): Rgba8Frame;
}

export interface YuvPlanes {
  /** `i420`: one plane each of Y, U and V. `nv12`: one plane of Y, and one in which U and V alternate. */
  readonly format: 'i420' | 'nv12';
  readonly widthPx: number;
  readonly heightPx: number;
  /** the planes one after the other without padding: `yuvLayout` */
  readonly planes: Uint8Array<ArrayBuffer>;
  readonly matrix: YuvMatrix;
}

/** An image as it was read: pixels, or the planes of a camera. */
export type ReadFrame = Frame | YuvFrame;

export function isYuvFrame<F extends { readonly format: string }>(frame: F): frame is Extract<F, YuvPlanes> {
  return frame.format === 'i420' || frame.format === 'nv12';
}

/** Makes a frame of planes that `convert` turns into pixels when they are first asked for. */
export function yuvFrame(planes: YuvPlanes, convert: (planes: YuvPlanes) => Rgba8Frame): YuvFrame {
  let pixels: Rgba8Frame | undefined;
  return { ...planes, pixels: () => (pixels ??= convert(planes)) };
}

/**
 * Byte offsets and strides within `planes`. Luma begins at 0 with `widthPx` bytes a row. Odd sizes have one more
 * sample of chroma.
 */
export function yuvLayout({ format, widthPx, heightPx }: Pick<YuvPlanes, 'format' | 'widthPx' | 'heightPx'>) {
  const columns = Math.ceil(widthPx / 2);
  const rows = Math.ceil(heightPx / 2);
  const u = widthPx * heightPx;
  return {
    u,
    v: format === 'i420' ? u + columns * rows : u + 1,
    /** bytes from one row of chroma to the next */
    chromaStride: format === 'i420' ? columns : 2 * columns,
    /** bytes from one sample of chroma to the next */
    chromaStep: format === 'i420' ? 1 : 2,
    byteLength: u + 2 * columns * rows,
  };
}

/** Memory that planes are read into. */
export interface PlanesMemory {
  /** The memory belongs to the caller until `give`; null: none is left. */
  take(byteLength: number): YuvPlanes['planes'] | null;
  /** Returns memory that nobody reads any more. false: it was not taken from here. */
  give(planes: YuvPlanes['planes']): boolean;
}

/** Converts planes to opaque RGBA as a browser does, into 4 · widthPx · heightPx samples. Every implementation equals `yuvToRgba`. */
export type ConvertYuv = (planes: YuvPlanes, into: Uint8ClampedArray<ArrayBuffer>) => void;

/** Like ConvertYuv, for a frame that is made smaller for display. Every implementation equals `shrinkToRgba`. */
export type ShrinkYuv = (planes: YuvPlanes, size: FrameSize, into: Uint8ClampedArray<ArrayBuffer>) => void;
