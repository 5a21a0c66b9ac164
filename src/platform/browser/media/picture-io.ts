import { encode } from 'fast-png';
import { withoutOrientation } from '../../../evidence/datasets/face/image-size.ts';
import type { PictureIo, SourceImage } from '../../ports/picture-io.ts';
import { waitFor } from '../../../base/schedule/wait-for.ts';
import {
  type ConvertYuv,
  type Frame,
  isYuvFrame,
  type PlanesMemory,
  type ReadFrame,
  type Rgba8Frame,
  type ShrinkYuv,
  toRgba8,
  type YuvPlanes,
} from '../../../machine/vision/face/frames.ts';
import { longestSideWithin, lookSize, pixelsOf } from '../../../machine/vision/face/runs.ts';
import { checkFrameSize, ImageDecodeError } from '../../decode/image-decode-error.ts';
import { unreadableImage } from '../../../machine/vision/face/image-kinds.ts';
import { decodeStill, isExactStill } from '../../decode/still.ts';
import { SpareMemory } from './spare-memory.ts';
import { asColours, copiesColours, YuvReader } from './yuv-reader.ts';

/** Options that read pixels as the machine does: no colour profile; pixels as they were stored. */
const storedPixels: ImageBitmapOptions = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' };

const opaqueFormats: ReadonlySet<VideoPixelFormat | null> = new Set([
  'I420',
  'I422',
  'I444',
  'NV12',
  'RGBX',
  'BGRX',
] as const);

/** Pixels that hold a frame without transparency: looking for some in each of them would take as long as to draw it. */
const knownOpaque = new WeakSet<Frame['samples']>();

/**
 * Reads and draws pixels with what a browser worker has. With `toRgba`, live frames are read as planes where that gives the same; with
 * `shrinkToRgba`, they are drawn smaller without their colours in full; with `planesMemory`, a kernel takes them where they lie.
 */
export function createPictureIo(
  toRgba: ConvertYuv | null = null,
  shrinkToRgba: ShrinkYuv | null = null,
  planesMemory: PlanesMemory | null = null,
): PictureIo {
  const memory = new SpareMemory();
  /** by planes the colours that were made of them */
  const colours = new WeakMap<YuvPlanes['planes'], Rgba8Frame>();
  const convert = (planes: YuvPlanes): Rgba8Frame => {
    const { widthPx, heightPx } = planes;
    const samples = new Uint8ClampedArray(memory.take(4 * widthPx * heightPx));
    toRgba!(planes, samples);
    knownOpaque.add(samples);
    const frame = { format: 'rgba8', widthPx, heightPx, samples } as const;
    colours.set(planes.planes, frame);
    return frame;
  };
  const yuv = toRgba && new YuvReader(toRgba, memory, convert, planesMemory);
  const recycle = ({ samples }: Rgba8Frame) => {
    knownOpaque.delete(samples);
    memory.give(samples.buffer);
  };
  /** Draws a frame so small that its longest side has that length. */
  function smaller(frame: ReadFrame, longestSidePx: number, resizeQuality: ResizeQuality): Promise<ImageBitmap> {
    const { widthPx: resizeWidth, heightPx: resizeHeight } = lookSize(frame, longestSidePx);
    return shrinkToRgba && isYuvFrame(frame)
      ? shrunk(frame, resizeWidth, resizeHeight, shrinkToRgba, memory)
      : createImageBitmap(onBlack(frame), { resizeWidth, resizeHeight, resizeQuality });
  }
  function read(image: Blob): Promise<Frame>;
  function read(image: SourceImage): Promise<ReadFrame>;
  async function read(image: SourceImage): Promise<ReadFrame> {
    if (image instanceof Blob) return readStill(image);
    if (image instanceof ImageBitmap) return readByCanvas(image, image.width, image.height);
    return readVideoFrame(image, yuv, memory);
  }
  return {
    read,
    readsExactly: async (image) =>
      image instanceof Blob && isExactStill(new Uint8Array(await image.slice(0, 8).arrayBuffer())),
    whyColours(image) {
      if (!yuv) return 'this browser has no WebAssembly SIMD';
      if (!(image instanceof VideoFrame)) return 'the source gives pictures, not frames';
      return liesAsShown(image) ? yuv.refusal(image) : 'its frames are scaled, turned or mirrored to be shown';
    },
    recycle(frame) {
      if (isYuvFrame(frame)) {
        const converted = colours.get(frame.planes);
        if (converted) recycle(converted);
        colours.delete(frame.planes);
        yuv?.recycle(frame.planes);
      } else if (frame.format === 'rgba8') recycle(frame as Rgba8Frame);
    },
    // A frame without transparency is kept: to wrap pixels that were converted already is cheaper than to convert again.
    isAllRead: (image) => image instanceof VideoFrame && opaqueFormats.has(image.format),
    copy: (image) => createImageBitmap(image),
    picture(frame, within) {
      const longestSidePx = longestSideWithin(frame, within);
      if (longestSidePx === null) return createImageBitmap(onBlack(frame), { premultiplyAlpha: 'none' });
      // "low" looks at four pixels, all that there are at a half; below it passes over some.
      const isBelowHalf = 2 * longestSidePx < Math.max(frame.widthPx, frame.heightPx);
      return smaller(frame, longestSidePx, isBelowHalf ? 'medium' : 'low');
    },
    thumbnail: (frame, longestSidePx) => smaller(frame, longestSidePx, 'medium'),
    async compress(frame, quality, longestSidePx) {
      const scale = Math.min(1, longestSidePx / Math.max(frame.widthPx, frame.heightPx));
      const widthPx = Math.max(1, Math.round(frame.widthPx * scale));
      const heightPx = Math.max(1, Math.round(frame.heightPx * scale));
      const canvas = new OffscreenCanvas(widthPx, heightPx);
      const context = canvas.getContext('2d', { alpha: false });
      if (!context) throw new ImageDecodeError('unsupported-format', 'This browser has no canvas in workers.');
      if (scale === 1) context.putImageData(onBlack(frame), 0, 0);
      else {
        const picture = await createImageBitmap(onBlack(frame));
        context.imageSmoothingQuality = 'medium';
        context.drawImage(picture, 0, 0, widthPx, heightPx);
        picture.close();
      }
      return canvas.convertToBlob({ type: 'image/jpeg', quality });
    },
    async encode(frame) {
      const { widthPx: width, heightPx: height, samples } = toRgba8(pixelsOf(frame));
      const png = encode({ width, height, data: samples, channels: 4, depth: 8 });
      return new Blob([png as Uint8Array<ArrayBuffer>], { type: 'image/png' });
    },
  };
}

async function readStill(blob: Blob): Promise<Frame> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const exact = decodeStill(bytes);
  if (exact) return exact;
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(new Blob([withoutOrientation(bytes)], { type: blob.type }), storedPixels);
  } catch (error) {
    throw new ImageDecodeError('not-an-image', unreadableImage(bytes), { cause: error });
  }
  try {
    return readByCanvas(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}

/** copyTo converts on the CPU without a canvas; some frames (opaque textures, unknown formats) can only be drawn. */
async function readVideoFrame(image: VideoFrame, yuv: YuvReader | null, memory: SpareMemory): Promise<ReadFrame> {
  const { displayWidth: widthPx, displayHeight: heightPx } = image;
  if (image.format && liesAsShown(image)) {
    try {
      const planes = await yuv?.read(image);
      if (planes) return planes;
      if (copiesColours(image)) {
        const samples = new Uint8ClampedArray(memory.take(4 * widthPx * heightPx));
        await image.copyTo(samples, asColours);
        if (opaqueFormats.has(image.format)) knownOpaque.add(samples);
        return { format: 'rgba8', widthPx, heightPx, samples };
      }
    } catch {
      // NotSupportedError: this browser converts no such frame; draw it
    }
  }
  return readDrawn(image, widthPx, heightPx);
}

/** If the browser drew nothing of a frame, it is drawn again after this time, at most so many times. */
const redrawMs = 20;
const mostDraws = 50;

/**
 * On a busy machine WebKitGTK 2.50 now and then draws nothing of a frame, without an error, and draws it a moment later.
 * @throws ImageDecodeError if nothing of it is ever drawn
 */
async function readDrawn(image: VideoFrame, widthPx: number, heightPx: number): Promise<Frame> {
  for (let draws = 0; draws < mostDraws; draws++) {
    if (draws > 0) await waitFor(redrawMs);
    const frame = readByCanvas(image, widthPx, heightPx);
    if (frame.samples[3] !== 0 || !opaqueFormats.has(image.format)) return frame;
  }
  throw new ImageDecodeError('unsupported-format', 'This browser drew nothing of a frame of the video: show it again.');
}

/** A frame's turn and mirroring before it is shown, where the browser knows: TypeScript's library does not yet. */
interface Oriented {
  readonly rotation?: 0 | 90 | 180 | 270;
  readonly flip?: boolean;
}

/** copyTo gives the pixels as they lie: neither scaled, turned nor mirrored. */
function liesAsShown(image: VideoFrame & Oriented): boolean {
  const { visibleRect: rect, displayWidth, displayHeight, rotation = 0, flip = false } = image;
  return rect?.width === displayWidth && rect.height === displayHeight && rotation === 0 && !flip;
}

let reader: OffscreenCanvasRenderingContext2D | null = null;

function readByCanvas(image: ImageBitmap | VideoFrame, widthPx: number, heightPx: number): Frame {
  checkFrameSize(widthPx, heightPx);
  reader ??= new OffscreenCanvas(widthPx, heightPx).getContext('2d', { willReadFrequently: true });
  if (!reader) throw new ImageDecodeError('unsupported-format', 'This browser has no canvas in workers.');
  const { canvas } = reader;
  if (canvas.width !== widthPx) canvas.width = widthPx;
  if (canvas.height !== heightPx) canvas.height = heightPx;
  reader.clearRect(0, 0, widthPx, heightPx);
  reader.drawImage(image, 0, 0, widthPx, heightPx);
  const { data } = reader.getImageData(0, 0, widthPx, heightPx);
  return { format: 'rgba8', widthPx, heightPx, samples: data as Uint8ClampedArray<ArrayBuffer> };
}

async function shrunk(
  planes: YuvPlanes,
  widthPx: number,
  heightPx: number,
  shrinkToRgba: ShrinkYuv,
  memory: SpareMemory,
): Promise<ImageBitmap> {
  const samples = new Uint8ClampedArray(memory.take(4 * widthPx * heightPx));
  shrinkToRgba(planes, { widthPx, heightPx }, samples);
  const picture = await createImageBitmap(new ImageData(samples, widthPx, heightPx), { premultiplyAlpha: 'none' });
  memory.give(samples.buffer);
  return picture;
}

/** The frame that was converted last: the stage and the thumbnails of its steps show the same one. */
let converted: { readonly samples: Frame['samples']; readonly picture: ImageData } | null = null;

function onBlack(frame: ReadFrame): ImageData {
  const pixels = pixelsOf(frame);
  if (pixels.format === 'rgba8') return drawnOnBlack(pixels);
  const { samples } = pixels;
  if (converted?.samples !== samples) converted = { samples, picture: drawnOnBlack(pixels) };
  return converted.picture;
}

/** The machine premultiplies and then drops alpha, which is the picture over black. */
function drawnOnBlack(frame: Frame): ImageData {
  const { samples, widthPx, heightPx } = toRgba8(frame);
  const isOpaque = knownOpaque.has(samples) || !hasTransparency(samples);
  return new ImageData(isOpaque ? samples : flattened(samples), widthPx, heightPx);
}

function hasTransparency(samples: Uint8ClampedArray): boolean {
  for (let i = 3; i < samples.length; i += 4) if (samples[i] !== 255) return true;
  return false;
}

function flattened(samples: Uint8ClampedArray): Uint8ClampedArray<ArrayBuffer> {
  const opaque = new Uint8ClampedArray(samples.length);
  for (let i = 0; i < samples.length; i += 4) {
    const alpha = samples[i + 3]!;
    for (let k = 0; k < 3; k++) opaque[i + k] = Math.floor((samples[i + k]! * alpha) / 255);
    opaque[i + 3] = 255;
  }
  return opaque;
}
