import { encode } from 'fast-png';
import type { PictureIo, SourceImage } from '../../ports/picture-io.ts';
import { toRgba8 } from '../../vision/frame-formats.ts';
import type { Frame } from '../../vision/frame.ts';
import { lookSize } from '../../vision/looks.ts';
import type { PictureSize } from '../../vision/trace.ts';
import { checkFrameSize, ImageDecodeError } from '../decode/decode-error.ts';
import { unreadableImage } from '../../vision/image-kind.ts';
import { decodeStill, isExactStill } from '../decode/still.ts';

/** What the machine does too: no turning by EXIF, no colour profile; pixels as they were stored. */
const storedPixels: ImageBitmapOptions = {
  imageOrientation: 'none',
  colorSpaceConversion: 'none',
  premultiplyAlpha: 'none',
};

type Samples = Uint8ClampedArray<ArrayBuffer>;

/** One on the stage and up to three under way: fresh memory costs more, page by page, than the pixels that go into it. */
const mostSpare = 4;
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

/** Reads and draws pixels with what a browser worker has. */
export function createPictureIo(): PictureIo {
  const spare: Samples[] = [];
  return {
    async read(image: SourceImage): Promise<Frame> {
      if (image instanceof Blob) return readStill(image);
      if (image instanceof ImageBitmap) return readByCanvas(image, image.width, image.height);
      return readVideoFrame(image, (byteLength) => takeSpare(spare, byteLength));
    },
    readsExactly: async (image) =>
      image instanceof Blob && isExactStill(new Uint8Array(await image.slice(0, 8).arrayBuffer())),
    recycle({ format, samples }) {
      if (format === 'rgba8' && spare.length < mostSpare) spare.push(samples as Samples);
    },
    // Pixels that were converted already are cheaper to wrap than the frame is to convert again.
    copy: (image, frame, within) =>
      image instanceof VideoFrame && opaqueFormats.has(image.format)
        ? pictureOf(frame, within)
        : createImageBitmap(image),
    picture: pictureOf,
    thumbnail(frame, longestSidePx) {
      return createImageBitmap(onBlack(frame), { ...resizing(frame, longestSidePx), resizeQuality: 'medium' });
    },
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
      const { widthPx: width, heightPx: height, samples } = toRgba8(frame);
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
    bitmap = await createImageBitmap(blob, storedPixels);
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
async function readVideoFrame(image: VideoFrame, take: (byteLength: number) => Samples): Promise<Frame> {
  const { displayWidth: widthPx, displayHeight: heightPx } = image;
  const rect = image.visibleRect;
  if (image.format && rect && rect.width === widthPx && rect.height === heightPx) {
    try {
      const samples = take(4 * widthPx * heightPx);
      await image.copyTo(samples, { format: 'RGBA', colorSpace: 'srgb' });
      if (opaqueFormats.has(image.format)) knownOpaque.add(samples);
      else knownOpaque.delete(samples);
      return { format: 'rgba8', widthPx, heightPx, samples };
    } catch {
      // NotSupportedError: this browser converts no such frame; draw it
    }
  }
  return readByCanvas(image, widthPx, heightPx);
}

/** Sizes change when the camera does: what no longer fits goes. */
function takeSpare(spare: Samples[], byteLength: number): Samples {
  for (let samples = spare.pop(); samples; samples = spare.pop()) if (samples.length === byteLength) return samples;
  return new Uint8ClampedArray(byteLength);
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
  return { format: 'rgba8', widthPx, heightPx, samples: data as Samples };
}

/** Above it, what a smaller picture saves on its way to the screen is lost by making it smaller. */
const mostReducedScale = 0.75;

function pictureOf(frame: Frame, within: PictureSize | null): Promise<ImageBitmap> {
  const { widthPx, heightPx } = within ?? frame;
  const scale = Math.min(1, widthPx / frame.widthPx, heightPx / frame.heightPx);
  if (scale > mostReducedScale) return createImageBitmap(onBlack(frame), { premultiplyAlpha: 'none' });
  const longestSidePx = scale * Math.max(frame.widthPx, frame.heightPx);
  // "low" looks at four pixels, all that there are at a half; below it passes over some.
  return createImageBitmap(onBlack(frame), {
    ...resizing(frame, longestSidePx),
    resizeQuality: scale < 0.5 ? 'medium' : 'low',
  });
}

function resizing(frame: Frame, longestSidePx: number): Pick<ImageBitmapOptions, 'resizeWidth' | 'resizeHeight'> {
  const { widthPx, heightPx } = lookSize(frame, longestSidePx);
  return { resizeWidth: widthPx, resizeHeight: heightPx };
}

/** The frame that was converted last: the stage and the thumbnails of its steps show the same one. */
let converted: { readonly samples: Frame['samples']; readonly picture: ImageData } | null = null;

function onBlack(frame: Frame): ImageData {
  if (frame.format === 'rgba8') return drawnOnBlack(frame);
  const { samples } = frame;
  if (converted?.samples !== samples) converted = { samples, picture: drawnOnBlack(frame) };
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
