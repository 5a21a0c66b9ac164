import type { BenchPlan } from '../../../workers/vision/protocol.ts';

/** What of a plan decides the raw results, as text: two plans with one key give one result. */
export function resultKey(plan: BenchPlan): string {
  return JSON.stringify([plan.config, plan.visionName, plan.cameraName, plan.models]);
}

/** The result key and what decides only the picture on the stage. */
export function planKey(plan: BenchPlan): string {
  return `${resultKey(plan)} ${plan.shownStage} ${plan.undistortPreview} ${plan.thumbnails}`;
}
