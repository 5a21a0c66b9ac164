import type { EightBitFrame, Frame, FrameSize } from '../frame/frame.ts';
import { isYuvFrame, type ReadFrame, type YuvFrame, type YuvPlanes } from '../yuv/yuv-frame.ts';
import { applyPixelStep, sizeAfter, type PixelStep } from '../transforms/pixel-step.ts';

/**
 * The part of a frame's path that runs on the GPU, as data that survives structured cloning: the pixels or camera
 * planes as they were read, and the steps applied to them. `widthPx` and `heightPx` are the size after the steps.
 */
export interface GpuWork extends FrameSize {
  readonly source: EightBitFrame | YuvPlanes;
  readonly steps: readonly PixelStep[];
}

/**
 * Gives the bytes that are uploaded to the GPU, without a copy.
 * @param source 8-bit pixels or camera planes
 * @returns the samples of the pixels, or the planes
 * @example
 * const planes = new Uint8Array(6);
 * uploadOf({ format: 'i420', widthPx: 2, heightPx: 2, planes }) === planes; // => true
 */
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
 * @param frame 8-bit pixels, camera planes, or a frame for the GPU
 * @returns a frame without steps, or the same frame if it is for the GPU already
 * @throws RangeError for a 16-bit frame: `placeRun` sends none to the GPU
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * toGpu(patternFrame('rgba8', 4, 2)).format; // => 'gpu'
 * toGpu(patternFrame('rgba16', 4, 2)); // throws: The GPU takes frames of 8 bits a sample
 */
export function toGpu(frame: AnyFrame): GpuFrame {
  if (isGpuFrame(frame)) return frame;
  if (frame.format === 'rgba16') throw new RangeError('The GPU takes frames of 8 bits a sample, and this one has 16.');
  return { format: 'gpu', widthPx: frame.widthPx, heightPx: frame.heightPx, source: frame, steps: [] };
}

/**
 * Adds a step to those that the GPU applies. The frame that is given stays as it is.
 * @param frame a frame for the GPU
 * @param step a step that only moves, scales or blends pixels
 * @returns a frame with the size after the step
 * @throws TransformError as the step does
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * const { widthPx, heightPx } = withStep(toGpu(patternFrame('rgba8', 4, 2)), { type: 'rotate', attributes: { angleDegs: 90 } });
 * [widthPx, heightPx]; // => [2, 4]
 */
export function withStep(frame: GpuFrame, step: PixelStep): GpuFrame {
  return { ...frame, ...sizeAfter(frame, step), steps: [...frame.steps, step] };
}

const computed = new WeakMap<GpuFrame, Frame>();

/**
 * Gives a frame's pixels. For a frame on the GPU the reference computes them on the CPU, once; camera planes are
 * converted to colours.
 * @param frame any frame
 * @returns pixels in memory, after the steps
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * const frame = patternFrame('rgba8', 4, 2);
 * pixelsOf(toGpu(frame)) === frame; // => true
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

/**
 * Moves a frame off the GPU: as it was read where it has no steps, otherwise as pixels computed on the CPU.
 * @param frame any frame
 * @returns a frame that the CPU works on
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * const frame = patternFrame('rgba8', 4, 2);
 * offGpu(frame) === frame; // => true
 */
export function offGpu(frame: AnyFrame): ReadFrame {
  return isGpuFrame(frame) ? pixelsOf(frame) : frame;
}
