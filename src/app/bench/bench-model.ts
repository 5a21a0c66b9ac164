import type { Bench } from './bench.svelte.ts';
import { serviceFilter } from '../../vision/filter/service-filter.ts';
import type { NormalizedBox } from '../../vision/normalized-box.ts';
import type { TracedStage } from '../../vision/trace.ts';
import { uprightOnSource } from '../../vision/upright-on-source.ts';
import type { FrameResult } from '../../../workers/vision/protocol.ts';
import { boxAt } from './results/results-state.svelte.ts';
import type { LabelledBox } from '../../capture/capture.ts';
import { ModelRunError, type RunModel } from '../captures/run-model.ts';

/** The parts of the bench that are needed to run its model on another image. */
export type BenchOfModel = Pick<Bench, 'config' | 'models' | 'plan' | 'serviceName' | 'session' | 'steps'>;

/**
 * Runs the model as the bench is configured: its service, its camera's steps, its thresholds. The stage does not
 * change; the model of the last visit is loaded first if necessary.
 */
export function benchModel(bench: BenchOfModel): RunModel {
  return async (image, name) => {
    const { models, session, config } = bench;
    const { serviceName } = bench;
    if (models.loading) throw missing('The bench’s model is still loading. Try again in a moment.');
    if (!models.of(serviceName)) await models.loadFirst(serviceName);
    if (!models.of(serviceName)) {
      throw missing(`There is no model to run: ${models.fault?.message ?? 'load one on the bench.'}`);
    }
    await session.applyPlan(bench.plan);
    const result = await session.runAside(image, name);
    const { detections } = result;
    if (!detections) throw noBoxes(serviceName, result);
    const { kept } = serviceFilter(config.filter).rows(detections);
    const stages = tracedStages(bench, result);
    const boxes = Array.from(kept).flatMap((row): LabelledBox[] => {
      const place = uprightOnSource(boxAt(detections, row), stages);
      const label = detections.labels[detections.labelIndex[row]!]!;
      return place ? [{ label, confidence: Math.min(1, detections.score[row]!), ...place }] : [];
    });
    return { by: serviceName || 'The model', boxes: boxes.filter(hasArea) };
  };
}

function tracedStages(bench: BenchOfModel, { stages }: FrameResult): readonly TracedStage[] {
  return stages.map((stage) => ({ ...stage, step: bench.steps[stage.step]?.step ?? null }));
}

/** A box that is clipped to the picture may have no area left. */
const hasArea = (box: NormalizedBox): boolean =>
  box.xMinNormalized < box.xMaxNormalized && box.yMinNormalized < box.yMaxNormalized;

const missing = (message: string): ModelRunError => new ModelRunError('no-model', message);

function noBoxes(serviceName: string, { problems, classifications }: FrameResult): ModelRunError {
  const problem = problems[0];
  if (problem) return new ModelRunError('failed', problem.message);
  const why = classifications ? 'it classifies whole images' : 'its model has no boxes among its outputs';
  return new ModelRunError('no-boxes', `${serviceName || 'The bench’s model'} gives no boxes: ${why}.`);
}
