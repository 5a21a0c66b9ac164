import type { TransformStep } from '../config/face/machine-config.ts';
import type { Outputs } from './decode/outputs.ts';
import type { RawClassifications, RawDetections } from './results/detections.ts';
import type { AnyFrame } from './gpu/gpu-frame.ts';
import type { TimesOnGpu } from './inference/inference-session.ts';
import type { DrawnPictures } from './gpu/looks.ts';
import type { GpuOutcome, Placement } from './placement.ts';

/** The picture after one step. */
export interface Stage {
  /** position in the list of steps, -1 = source */
  readonly step: number;
  /** '': the source, or a pass-through step */
  readonly type: TransformStep['type'];
  readonly frame: AnyFrame;
}

/** Everything that one run of a frame gives. */
export interface RunResult extends RawResults {
  /** the source first, then one for each step */
  readonly stages: readonly Stage[];
  readonly timings: RunTimings;
  /** where each part of the run ran */
  readonly placement: Placement;
  /** the outputs of the model, for reading them in another way; null: only steps were run */
  readonly inference: Inference | null;
}

/** The result of one run of a model. */
export interface Inference extends GpuOutcome {
  readonly outputs: Outputs;
  /** size of the model's input tensor */
  readonly inputWidthPx: number;
  readonly inputHeightPx: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
  /** the GPU's part of `inferenceMs`, measured on a recent frame; absent if the GPU has no timer */
  readonly onGpu?: TimesOnGpu;
  /** pictures that the GPU drew during the run; whoever takes one out closes it */
  readonly pictures?: DrawnPictures;
}

/** The results of a vision service for one frame, before its own filter. */
export interface RawResults {
  /** kept so that a new threshold filters again without inference; null: the service is no detector */
  readonly detections: RawDetections | null;
  /** null: the service is no classifier */
  readonly classifications: RawClassifications | null;
}

export interface RunTimings {
  readonly transformMs: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
  /** decode */
  readonly postprocessMs: number;
  readonly totalMs: number;
}
