import type { EightBitFrame, Frame, FrameSize } from './frame.ts';
import { isYuvFrame, type ReadFrame, type YuvFrame, type YuvPlanes } from './yuv/yuv-frame.ts';
import { applyPixelStep, sizeAfter, type PixelStep } from './transforms/pixel-step.ts';

/**
 * What a GPU is given of a frame, which survives structured cloning: pixels or a camera's planes as they were read, and the steps that
 * are done to them there. Its size is that after the steps.
 */
export interface GpuWork extends FrameSize {
  readonly source: EightBitFrame | YuvPlanes;
  readonly steps: readonly PixelStep[];
}

/** The bytes that are uploaded. */
export function uploadOf(source: GpuWork['source']): Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer> {
  return isYuvFrame(source) ? source.planes : source.samples;
}

/**
 * A frame that the GPU works on, all at once, when a model runs on it. Until then nothing is computed, and nobody but the GPU computes
 * it unless `pixelsOf` is asked.
 */
export interface GpuFrame extends GpuWork {
  readonly format: 'gpu';
  readonly source: EightBitFrame | YuvFrame;
}

/** A frame on its way: in memory, or on the GPU. */
export type AnyFrame = ReadFrame | GpuFrame;

export function isGpuFrame(frame: AnyFrame): frame is GpuFrame {
  return frame.format === 'gpu';
}

/** A frame for the GPU; one that is for it already stays as it is. @throws RangeError for a 16-bit frame: `placeRun` sends none there */
export function toGpu(frame: AnyFrame): GpuFrame {
  if (isGpuFrame(frame)) return frame;
  if (frame.format === 'rgba16') throw new RangeError('The GPU takes frames of 8 bits a sample, and this one has 16.');
  return { format: 'gpu', widthPx: frame.widthPx, heightPx: frame.heightPx, source: frame, steps: [] };
}

/** The frame with one more step before it. @throws TransformError as the step */
export function withStep(frame: GpuFrame, step: PixelStep): GpuFrame {
  return { ...frame, ...sizeAfter(frame, step), steps: [...frame.steps, step] };
}

const computed = new WeakMap<GpuFrame, Frame>();

/**
 * The frame's pixels, for whoever looks at them: those of a frame for the GPU are computed here, by the reference, and once; planes are
 * converted.
 */
export function pixelsOf(frame: AnyFrame): Frame {
  if (isYuvFrame(frame)) return frame.pixels();
  if (!isGpuFrame(frame)) return frame;
  const known = computed.get(frame);
  if (known) return known;
  const pixels = frame.steps.reduce<Frame>(applyPixelStep, pixelsOf(frame.source));
  computed.set(frame, pixels);
  return pixels;
}

/** The frame in memory, as it was read where nothing was done to it. */
export function offGpu(frame: AnyFrame): ReadFrame {
  return isGpuFrame(frame) ? pixelsOf(frame) : frame;
}
