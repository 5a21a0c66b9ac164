import type { CaptureTimings } from '../../../evidence/capture/capture.ts';
import type { FilteredResult } from '../../../evidence/capture/filtered-result.ts';
import type { FrameResult, FrameTimings } from '../../../../workers/vision/protocol.ts';
import { detectionsAt, serviceFilter } from '../../../machine/vision/face/filters.ts';
import { uprightOnSource } from '../../../machine/vision/face/traces.ts';
import type { MadeWith } from './made-with.ts';

/** The filter and the setup of a result. */
export interface FilterInForce extends MadeWith {
  /** number of requested classifications; 0: all */
  readonly topCount: number;
  /** for results without a time, ms since 1970 */
  readonly nowMs: number;
}

/** Filters a result of the bench, in the form in which it is captured. */
export function filteredResult(result: FrameResult, { filter, topCount, setup, nowMs }: FilterInForce): FilteredResult {
  const { detections, classifications } = result;
  const stages = result.stages.map(({ step, widthPx, heightPx }) => ({ step, widthPx, heightPx }));
  const way = result.stages.map((stage) => ({ ...stage, step: setup.steps[stage.step] ?? null }));
  const { rows, classes } = serviceFilter(filter);
  return {
    frame: result.frame,
    stages,
    raw: { detections, classifications },
    detections: detections && detectionsAt(detections, rows(detections).kept),
    classifications: classifications && classes(classifications, topCount),
    onSource: (detection) => uprightOnSource(detection, way),
    problems: result.problems.map(({ message }) => message),
    timings: keptTimings(result.timings),
    receivedAtMs: result.receivedAtMs ?? nowMs,
    grey: result.grey ?? null,
    setup,
  };
}

/** Waiting times and times of display are left out. */
function keptTimings(timings: FrameTimings): CaptureTimings {
  const { decodeMs, transformMs, preprocessMs, inferenceMs, postprocessMs, totalMs } = timings;
  return { decodeMs, transformMs, preprocessMs, inferenceMs, postprocessMs, totalMs };
}
