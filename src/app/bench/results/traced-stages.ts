import type { PictureStage } from '../../../../workers/vision/protocol.ts';
import type { ChainStep } from '../../../machine/vision/face/cameras.ts';
import type { TracedStage } from '../../../machine/vision/face/traces.ts';

/** The pictures on a frame's path with the steps that made them, the source first. */
export function tracedStages(steps: readonly ChainStep[], stages: readonly PictureStage[]): readonly TracedStage[] {
  return stages.map((stage) => ({ ...stage, step: steps[stage.step]?.step ?? null }));
}
