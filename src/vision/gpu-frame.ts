import type { EightBitFrame, Frame } from './frame.ts';
import { applyPixelStep, sizeAfter, type PixelStep } from './transforms/pixel-step.ts';

/**
 * A frame that the GPU works on: pixels as they were read, and the steps that are done to them there, all at once, when a model runs
 * on it. Until then nothing is computed, and nobody but the GPU computes it unless `pixelsOf` is asked.
 */
export interface GpuFrame {
  readonly format: 'gpu';
  /** after the steps */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly source: EightBitFrame;
  readonly steps: readonly PixelStep[];
}

/** A frame on its way: pixels in memory, or on the GPU. */
export type AnyFrame = Frame | GpuFrame;

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

/** The frame's pixels, for whoever looks at them: those of a frame for the GPU are computed here, by the reference, and once. */
export function pixelsOf(frame: AnyFrame): Frame {
  if (!isGpuFrame(frame)) return frame;
  const known = computed.get(frame);
  if (known) return known;
  const pixels = frame.steps.reduce<Frame>(applyPixelStep, frame.source);
  computed.set(frame, pixels);
  return pixels;
}
