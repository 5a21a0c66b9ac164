import type { CropAttributes } from '../../config/face/cameras.ts';
import type { Frame, FrameSize } from '../frame/frame.ts';
import { toRgba8, toStraightRgba8, type Rgba8Frame } from '../frame/frame-formats.ts';
import { depthAs } from './depth-picture.ts';
import type { PixelStepRecord, TraceBack } from './pixel-step-record.ts';
import { TransformError } from './transform-error.ts';

/** Whole pixels; xMax and yMax are the first column and row outside. */
export interface PixelWindow {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** Refuses attributes that no frame can be cropped with. @throws TransformError negative-window, zero-width, zero-height */
function checkCrop({ xMin, yMin, xMax, yMax }: CropAttributes): void {
  if (xMin < 0 || yMin < 0) {
    throw new TransformError('negative-window', `Crop starts at x ${xMin}, y ${yMin}; neither may be negative.`);
  }
  if (xMin >= xMax) {
    throw new TransformError('zero-width', `Crop to 0 width: x_min_px ${xMin} is not below x_max_px ${xMax}.`);
  }
  if (yMin >= yMax) {
    throw new TransformError('zero-height', `Crop to 0 height: y_min_px ${yMin} is not below y_max_px ${yMax}.`);
  }
}

/**
 * The window that the attributes mean in a frame of this size, before it is cut off at the frame's edges; it may be empty.
 * Either maximum above 1 makes all four pixels; otherwise all are fractions of the size. Both are truncated.
 * @throws TransformError as checkCrop
 */
export function cropWindow(attributes: CropAttributes, widthPx: number, heightPx: number): PixelWindow {
  checkCrop(attributes);
  const { xMin, yMin, xMax, yMax } = attributes;
  // The machine reads 0,0,1,1 as pixels, not as the whole frame: one pixel remains.
  const inPixels = xMax > 1 || yMax > 1 || (xMin === 0 && yMin === 0 && xMax === 1 && yMax === 1);
  const scaleX = inPixels ? 1 : widthPx;
  const scaleY = inPixels ? 1 : heightPx;
  return {
    xMin: Math.trunc(xMin * scaleX),
    yMin: Math.trunc(yMin * scaleY),
    xMax: Math.trunc(xMax * scaleX),
    yMax: Math.trunc(yMax * scaleY),
  };
}

/**
 * The part of the window that lies in a frame of this size.
 * @throws TransformError as checkCrop, and empty-window if there is none
 */
function visibleWindow(attributes: CropAttributes, widthPx: number, heightPx: number): PixelWindow {
  const wanted = cropWindow(attributes, widthPx, heightPx);
  const xMax = Math.min(wanted.xMax, widthPx);
  const yMax = Math.min(wanted.yMax, heightPx);
  if (wanted.xMin >= xMax || wanted.yMin >= yMax) {
    throw new TransformError(
      'empty-window',
      `Cropped to 0 pixels: x ${wanted.xMin}–${wanted.xMax}, y ${wanted.yMin}–${wanted.yMax} of a ${widthPx}×${heightPx} frame.`,
    );
  }
  return { ...wanted, xMax, yMax };
}

/**
 * Cuts the window out of the frame, as 8-bit RGBA: the machine's crop converts JPEG planes and 16-bit samples.
 * `overlayCropBox` is the pipeline's business: the window is then drawn, not cut.
 * @throws TransformError as visibleWindow
 */
export function crop(frame: Frame, attributes: CropAttributes): Rgba8Frame {
  const window = visibleWindow(attributes, frame.widthPx, frame.heightPx);
  const isOnBlack = frame.format === 'rgba8' && frame.alphaOnBlack;
  return depthAs(frame, toRgba8(cut(isOnBlack ? toStraightRgba8(frame) : frame, window)));
}

function cut(frame: Frame, window: PixelWindow): Frame {
  const widthPx = window.xMax - window.xMin;
  const heightPx = window.yMax - window.yMin;
  const rowOf = (y: number) => 4 * ((window.yMin + y) * frame.widthPx + window.xMin);
  const cutRows = <Samples extends Frame['samples']>(from: Samples, into: Samples): Samples => {
    for (let y = 0; y < heightPx; y++) into.set(from.subarray(rowOf(y), rowOf(y) + 4 * widthPx), 4 * y * widthPx);
    return into;
  };
  const length = 4 * widthPx * heightPx;
  return frame.format === 'rgba16'
    ? { ...frame, widthPx, heightPx, samples: cutRows(frame.samples, new Uint16Array(length)) }
    : { ...frame, widthPx, heightPx, samples: cutRows(frame.samples, new Uint8ClampedArray(length)) };
}

/** A crop that cuts its window out; one that draws it on the whole frame is no pixel step. */
export type CuttingCrop = CropAttributes & { readonly overlayCropBox: false };

export const cropStep: PixelStepRecord<CuttingCrop> = {
  apply: crop,
  sizeAfter: croppedSize,
  gpuPass(before, attributes) {
    const { xMin, yMin } = visibleWindow(attributes, before.widthPx, before.heightPx);
    const { widthPx, heightPx } = croppedSize(before, attributes);
    const params = [before.widthPx, xMin, yMin, widthPx, heightPx];
    // Whole pixels move, of whatever colours: fewer are left to convert.
    return { shader: 'crop', entryPoint: 'crop', params, leaves: 'straight' };
  },
  trial: {
    name: 'a crop',
    attributes: { xMin: 3, yMin: 2, xMax: 60, yMax: 40, overlayCropBox: false },
    toleranceLevels: 0,
  },
};

function croppedSize({ widthPx, heightPx }: FrameSize, attributes: CropAttributes): FrameSize {
  const { xMin, yMin, xMax, yMax } = visibleWindow(attributes, widthPx, heightPx);
  return { widthPx: xMax - xMin, heightPx: yMax - yMin };
}

export const traceCrop: TraceBack<CuttingCrop> = ({ x, y }, attributes, _, before) => {
  const { xMin, yMin } = cropWindow(attributes, before.widthPx, before.heightPx);
  return { x: x + xMin, y: y + yMin };
};
