import type { TransformStep } from '../config/machine-config.ts';
import type { Outputs } from './decode/outputs.ts';
import type { RawClassifications, RawDetections } from './detections.ts';
import type { AnyFrame } from './gpu-frame.ts';
import type { TimesOnGpu } from './inference/inference-session.ts';
import type { DrawnPictures } from './looks.ts';
import type { GpuOutcome, Placement } from './placement.ts';

/** The picture after one step. */
export interface Stage {
  /** position in the list of steps, -1 = source */
  readonly step: number;
  /** '' for the source and for a pass-through step */
  readonly type: TransformStep['type'];
  readonly frame: AnyFrame;
}

/** Everything that one run of a frame yields. */
export interface Sighting extends RawResults {
  /** the source first, then one a step */
  readonly stages: readonly Stage[];
  readonly timings: SightingTimings;
  /** what ran where */
  readonly placement: Placement;
  /** what the model gave, for whoever reads it in another way; null = transform only */
  readonly inference: Inference | null;
}

/** What one run of a model gave. */
export interface Inference extends GpuOutcome {
  readonly outputs: Outputs;
  /** size of the tensor that the model was given */
  readonly inputWidthPx: number;
  readonly inputHeightPx: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
  /** of `inferenceMs`, where the GPU tells it: of a frame lately */
  readonly onGpu?: TimesOnGpu;
  /** what the GPU drew meanwhile; whoever takes one out closes it */
  readonly pictures?: DrawnPictures;
}

/** What a vision service says of one frame, before its own filter. */
export interface RawResults {
  /** kept so that thresholds filter again without inference; null = the service is no detector */
  readonly detections: RawDetections | null;
  /** null = the service is no classifier */
  readonly classifications: RawClassifications | null;
}

export interface SightingTimings {
  readonly transformMs: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
  /** decode */
  readonly postprocessMs: number;
  readonly totalMs: number;
}
