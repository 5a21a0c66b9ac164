import type { EightBitFrame, Frame, FrameSize } from './frame.ts';
import { isYuvFrame, type ReadFrame, type YuvFrame, type YuvPlanes } from './yuv/yuv-frame.ts';
import { applyPixelStep, sizeAfter, type PixelStep } from './transforms/pixel-step.ts';

/**
 * The part of a frame's path that runs on the GPU, as data that survives structured cloning: the pixels or camera
 * planes as they were read, and the steps applied to them. `widthPx` and `heightPx` are the size after the steps.
 */
export interface GpuWork extends FrameSize {
  readonly source: EightBitFrame | YuvPlanes;
  readonly steps: readonly PixelStep[];
}

/** The bytes that are uploaded to the GPU. */
export function uploadOf(source: GpuWork['source']): Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer> {
  return isYuvFrame(source) ? source.planes : source.samples;
}

/**
 * A frame whose steps the GPU computes together with the model's run. Nothing is computed before that, and the CPU
 * computes its pixels only when `pixelsOf` asks for them.
 */
export interface GpuFrame extends GpuWork {
  readonly format: 'gpu';
  readonly source: EightBitFrame | YuvFrame;
}

/** A frame between two steps: in memory, or for the GPU. */
export type AnyFrame = ReadFrame | GpuFrame;

export function isGpuFrame(frame: AnyFrame): frame is GpuFrame {
  return frame.format === 'gpu';
}

/**
 * Makes a frame for the GPU; a frame that is for the GPU already is returned as it is.
 * @throws RangeError for a 16-bit frame: `placeRun` sends none to the GPU
 */
export function toGpu(frame: AnyFrame): GpuFrame {
  if (isGpuFrame(frame)) return frame;
  if (frame.format === 'rgba16') throw new RangeError('The GPU takes frames of 8 bits a sample, and this one has 16.');
  return { format: 'gpu', widthPx: frame.widthPx, heightPx: frame.heightPx, source: frame, steps: [] };
}

/**
 * The frame with `step` added to the steps that the GPU applies.
 * @throws TransformError as the step does
 */
export function withStep(frame: GpuFrame, step: PixelStep): GpuFrame {
  return { ...frame, ...sizeAfter(frame, step), steps: [...frame.steps, step] };
}

const computed = new WeakMap<GpuFrame, Frame>();

/**
 * The frame's pixels. For a frame on the GPU the reference computes them on the CPU, once; camera planes are
 * converted to colours.
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

/** The frame as it was read if no step was applied to it, else its pixels, computed on the CPU. */
export function offGpu(frame: AnyFrame): ReadFrame {
  return isGpuFrame(frame) ? pixelsOf(frame) : frame;
}
