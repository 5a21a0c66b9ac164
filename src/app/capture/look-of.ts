import type { Look } from '../../capture/look.ts';
import type { FrameResult } from '../../../workers/vision/protocol.ts';
import { filterClassifications } from '../../vision/filter/filter-classifications.ts';
import { detectionsAt, filterDetections } from '../../vision/filter/filter-detections.ts';
import { serviceThresholds, type ServiceFilterRule } from '../../vision/filter/thresholds.ts';
import { uprightOnSource } from '../../vision/upright-on-source.ts';

/** What a result is seen through. */
export interface LookThrough {
  readonly filter: ServiceFilterRule;
  /** how many classifications are asked for; 0 = all */
  readonly topCount: number;
  readonly setup: Look['setup'];
  /** for results that bring no time, ms since 1970 */
  readonly nowMs: number;
}

/** A result of the bench with what passes the filter, as it is kept. */
export function lookOf(result: FrameResult, { filter, topCount, setup, nowMs }: LookThrough): Look {
  const { detections, classifications } = result;
  const stages = result.stages.map(({ step, widthPx, heightPx }) => ({ step, widthPx, heightPx }));
  const way = stages.map((stage) => ({ ...stage, step: setup.steps[stage.step] ?? null }));
  const kept = detections && filterDetections(detections, serviceThresholds(detections.labels, filter)).kept;
  return {
    frame: result.frame,
    stages,
    raw: { detections, classifications },
    detections: detections && detectionsAt(detections, kept!),
    classifications: classifications && filterClassifications(classifications, filter, topCount),
    onSource: (detection) => uprightOnSource(detection, way),
    problems: result.problems.map(({ message }) => message),
    timings: result.timings,
    receivedAtMs: result.receivedAtMs ?? nowMs,
    grey: result.grey ?? null,
    setup,
  };
}
