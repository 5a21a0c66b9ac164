import type { Rgba8Frame } from '../frame/frame-formats.ts';
import type { Frame, FrameSize } from '../frame/frame.ts';
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

/**
 * Whether a frame is camera planes rather than pixels.
 * @param frame any frame
 * @returns true for `i420` and `nv12`
 * @example
 * isYuvFrame({ format: 'nv12' }); // => true
 * isYuvFrame({ format: 'rgba8' }); // => false
 */
export function isYuvFrame<F extends { readonly format: string }>(frame: F): frame is Extract<F, YuvPlanes> {
  return frame.format === 'i420' || frame.format === 'nv12';
}

/**
 * Makes a frame of planes that are converted to pixels when they are first asked for, and only once.
 * @param planes the camera's planes
 * @param convert the conversion, which equals `pixelsByReference`
 * @returns a frame that shares the planes
 * @example
 * let conversions = 0;
 * const frame = yuvFrame({ format: 'i420', widthPx: 2, heightPx: 2, planes: new Uint8Array(6) }, () => ({ number: ++conversions }));
 * frame.pixels() === frame.pixels(); // => true
 * conversions; // => 1
 */
export function yuvFrame(planes: YuvPlanes, convert: (planes: YuvPlanes) => Rgba8Frame): YuvFrame {
  let pixels: Rgba8Frame | undefined;
  return { ...planes, pixels: () => (pixels ??= convert(planes)) };
}

/**
 * Computes byte offsets and strides within `planes`. Luma begins at 0 with `widthPx` bytes a row. Odd sizes have one
 * more sample of chroma.
 * @param planes format and size in pixels
 * @returns the offsets of U and V, the strides of chroma, and the length of all planes, in bytes
 * @example
 * yuvLayout({ format: 'i420', widthPx: 4, heightPx: 2 }); // => { u: 8, v: 10, chromaStride: 2, chromaStep: 1, byteLength: 12 }
 * yuvLayout({ format: 'nv12', widthPx: 4, heightPx: 2 }); // => { u: 8, v: 9, chromaStride: 4, chromaStep: 2, byteLength: 12 }
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
