import type { TransformStep } from '../../config/face/machine-config.ts';
import type { DrawingType, StepType } from '../../config/face/cameras.ts';
import type { Frame, FrameSize } from '../frame/frame.ts';
import { cropStep, traceCrop, type CuttingCrop } from './crop.ts';
import type { GpuPass, PixelStepRecord, Point, TraceBack } from './pixel-step-record.ts';
import { resizeStep, traceResize } from './resize.ts';
import { rotateStep, traceRotate } from './rotate.ts';

type PixelType = Exclude<StepType, DrawingType>;
type AttributesOf<T extends PixelType> = T extends 'crop'
  ? CuttingCrop
  : Extract<TransformStep, { readonly type: T }>['attributes'];
type StepOf<T extends PixelType> = { [K in T]: { readonly type: K; readonly attributes: AttributesOf<K> } }[T];

/** Every type of step that only moves, scales and blends pixels. */
const pixelSteps: { readonly [T in PixelType]: PixelStepRecord<AttributesOf<T>> } = {
  crop: cropStep,
  resize: resizeStep,
  rotate: rotateStep,
};
/** Apart from the records: the page traces boxes back and does no step itself, so that its bundle leaves the arithmetic out. */
const traces: { readonly [T in PixelType]: TraceBack<AttributesOf<T>> } = {
  crop: traceCrop,
  resize: traceResize,
  rotate: traceRotate,
};

/** A step that only moves, scales and blends the pixels of one frame: the GPU knows it too. A crop is one unless it draws its window. */
export type PixelStep = { readonly type: '' } | StepOf<PixelType>;

/**
 * Whether a step only moves, scales and blends pixels.
 * @param step of a transform camera
 * @returns false for steps that draw
 * @example
 * isPixelStep({ type: 'resize', attributes: { widthPx: 4, heightPx: 4 } }); // => true
 * isPixelStep({ type: 'detections', attributes: {} }); // => false
 */
export function isPixelStep(step: TransformStep): step is PixelStep {
  if (step.type === 'crop') return !step.attributes.overlayCropBox;
  return step.type === '' || Object.hasOwn(traces, step.type);
}

/**
 * Applies a step in the reference's arithmetic.
 * @param frame the picture before the step
 * @param step a step that only moves, scales or blends pixels
 * @returns the picture after it
 * @throws TransformError where no frame can take the step
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * const step = { type: 'resize', attributes: { widthPx: 2, heightPx: 1 } };
 * applyPixelStep(patternFrame('rgba8', 8, 4), step).widthPx; // => 2
 */
export function applyPixelStep(frame: Frame, step: PixelStep): Frame {
  return step.type === '' ? frame : recordOf(step).apply(frame, step.attributes);
}

/**
 * Computes the size of a frame after a step.
 * @param size of the frame before, in pixels
 * @param step a step that only moves, scales or blends pixels
 * @returns the size after, in pixels
 * @throws TransformError as the step
 * @example
 * sizeAfter({ widthPx: 640, heightPx: 480 }, { type: 'rotate', attributes: { angleDegs: 90 } }); // => { widthPx: 480, heightPx: 640 }
 */
export function sizeAfter({ widthPx, heightPx }: FrameSize, step: PixelStep): FrameSize {
  return step.type === '' ? { widthPx, heightPx } : recordOf(step).sizeAfter({ widthPx, heightPx }, step.attributes);
}

/** Where a point of the picture after the step was before it. */
export function traceBack(point: Point, step: PixelStep, after: FrameSize, before: FrameSize): Point {
  if (step.type === '') return point;
  const trace = traces[step.type] as TraceBack<typeof step.attributes>;
  return trace(point, step.attributes, after, before);
}

/**
 * Describes how the GPU does a step.
 * @param before size of the frame before the step, in pixels
 * @param step a step that only moves, scales or blends pixels
 * @returns the shader with its parameters; null where nothing is to be done
 * @throws TransformError as the step
 * @example
 * gpuPassOf({ widthPx: 4, heightPx: 2 }, { type: '' }); // => null
 * typeof gpuPassOf({ widthPx: 4, heightPx: 2 }, { type: 'rotate', attributes: { angleDegs: 90 } }).shader; // => 'string'
 */
export function gpuPassOf(before: FrameSize, step: PixelStep): GpuPass | null {
  return step.type === '' ? null : recordOf(step).gpuPass(before, step.attributes);
}

/**
 * Lists what a GPU must get right before it is used: each type of step once.
 * @returns a step a type, and by how many 8-bit levels the GPU's result may differ
 * @example
 * stepTrials().map(({ step }) => step.type); // => ['crop', 'resize', 'rotate']
 */
export function stepTrials(): readonly { name: string; toleranceLevels: number; step: PixelStep }[] {
  return Object.entries(pixelSteps).map(([type, { trial }]) => ({
    name: trial.name,
    toleranceLevels: trial.toleranceLevels,
    step: { type, attributes: trial.attributes } as PixelStep,
  }));
}

/** The record of a step's own type, so it takes the step's attributes: the types do not see that the two belong together. */
function recordOf(step: Exclude<PixelStep, { readonly type: '' }>): PixelStepRecord<typeof step.attributes> {
  return pixelSteps[step.type] as PixelStepRecord<typeof step.attributes>;
}
