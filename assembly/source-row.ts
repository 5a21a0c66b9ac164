import { splitRow } from './planar-row';
import { premultiplyRow } from './premultiply-row';
import { YuvConstants, chromaRow, convertYuvRow } from './yuv-row';

/** The frame of a job, and where its rows are taken apart. Laid out by the loader: see writeSource in src/platform/kernel/kernel-source.ts. */
@unmanaged
export class Source {
  width: i32;
  height: i32;
  /** length of a plane's row on the way: a multiple of 16, 16 more than width at least */
  stride: i32;
  /** RGBA, or with `yuv` the plane of luma */
  pixels: u32;
  /** bytes from row to row */
  pixelsStride: i32;
  /** 0 = RGBA; else its constants */
  yuv: u32;
  u: u32;
  v: u32;
  chromaStride: i32;
  /** bytes from sample to sample */
  chromaStep: i32;
  /** three rows of i16: what the row of chroma in use adds; its number is `chromaAt` */
  chroma: u32;
  chromaAt: i32;
  /** one premultiplied row of RGBA */
  premultiplied: u32;
  /** three planes of bytes: the row in use */
  bytes: u32;
}

/** Leaves row `y` of the frame as three planes of bytes: R, G, B, or Y, Cb, Cr of a JPEG. */
export function takeRow(source: Source, y: i32, isStretched: bool): void {
  if (source.yuv) takeYuvRow(source, y);
  else takeRgbaRow(source, y, isStretched);
}

function takeYuvRow(source: Source, y: i32): void {
  const constants = changetype<YuvConstants>(<usize>source.yuv);
  const at = y >> 1;
  if (source.chromaAt != at) {
    source.chromaAt = at;
    const start = source.chromaStride * at;
    chromaRow(
      source.u + start,
      source.v + start,
      source.chromaStep,
      source.width,
      source.stride,
      constants,
      source.chroma,
    );
  }
  const luma = source.pixels + source.pixelsStride * y;
  convertYuvRow(luma, source.width, source.stride, constants, source.chroma, source.bytes);
}

function takeRgbaRow(source: Source, y: i32, isStretched: bool): void {
  const row = <usize>source.pixels + source.pixelsStride * y;
  if (splitRow(row, source.width, source.stride, source.bytes)) return;
  // Or some pixel behind the row is transparent, as those of an opaque row stay what they are.
  premultiplyRow(row, source.width, isStretched, source.premultiplied);
  splitRow(source.premultiplied, source.width, source.stride, source.bytes);
}
