import { greyGlancePx, greyThumbnail } from '../../../src/evidence/capture/grey-thumbnail.ts';
import { decodeDetails, type Stage, surestClasses } from '../../../src/machine/vision/face/results.ts';
import type { FrameRun } from '../../../src/machine/vision/face/runs.ts';
import type { ProbedService } from '../../../src/machine/vision/face/filters.ts';
import { glanceAt, type ReadFrame } from '../../../src/machine/vision/face/frames.ts';
import type { ThreadedRuntime } from '../../inference/client.ts';
import type { BenchPlan, BesideResult, FrameResult, PictureStage } from '../protocol.ts';
import { frameTimings } from './frame-timings.ts';
import { judgeRun } from './judge-run.ts';
import type { LoadedModels } from './loaded-models.ts';
import type { BesideRun } from './plan-runner.ts';
import type { SourceFrame } from './stage-frames.ts';

/** A person reads no faster. */
const readEveryMs = 250;

/** What a frame gave, and what its runtime says of this run. */
export interface RanFrame extends Pick<ThreadedRuntime, 'lastRunMs' | 'lastTraffic'> {
  readonly vision: ProbedService | null;
  readonly run: FrameRun;
  readonly plan: BenchPlan;
}

/** What of a result is drawn: it comes after the run. */
type Drawn = Pick<FrameResult, 'stages' | 'problems'> & Pick<FrameResult['timings'], 'pictureMs'>;

/** Makes the result of a run. Of a stream, what a person reads is made four times a second; of a still, always. */
export class FrameReport {
  readonly #models: Pick<LoadedModels, 'get'>;
  readonly #nowMs: () => number;
  #thumbnailsAtMs = -Infinity;
  #verdictsAtMs = -Infinity;

  constructor(models: Pick<LoadedModels, 'get'>, nowMs: () => number) {
    this.#models = models;
    this.#nowMs = nowMs;
  }

  /** The next frame gets thumbnails, however soon it comes. */
  wantThumbnails(): void {
    this.#thumbnailsAtMs = -Infinity;
  }

  /** Whether to draw the thumbnails of a frame now. */
  takeThumbnails(isStill: boolean): boolean {
    if (!isStill && this.#nowMs() - this.#thumbnailsAtMs < readEveryMs) return false;
    this.#thumbnailsAtMs = this.#nowMs();
    return true;
  }

  /** @param dropsFirstLabel whether the service's list of labels leaves out the first one */
  resultOf(
    { frame, info, original, decodedBy, whyColours, decodeMs }: SourceFrame,
    { vision, run, plan, lastRunMs, lastTraffic }: RanFrame,
    drawn: Drawn,
    dropsFirstLabel: boolean,
  ): FrameResult {
    const { backend } = this.#models.get(plan.models[plan.visionName ?? '']?.modelId ?? '')?.description ?? {};
    const { result } = run;
    return {
      frame: info,
      stages: drawn.stages,
      detections: result?.detections ?? null,
      classifications: listedClasses(run),
      problems: [...problemsOf(run), ...drawn.problems],
      timings: frameTimings(result, { decodeMs, lastRunMs, pictureMs: drawn.pictureMs }),
      ...(backend === 'live' && result?.inference && { traffic: lastTraffic }),
      ...(result && { placement: result.placement }),
      decodedBy,
      ...(whyColours !== undefined && { whyColours }),
      ...this.#verdictsOf(vision, run, original !== null, dropsFirstLabel),
      grey: greyThumbnail(glanceAt(frame, greyGlancePx)),
    };
  }

  #verdictsOf(vision: ProbedService | null, { result }: FrameRun, isStill: boolean, dropsFirstLabel: boolean) {
    const nowMs = this.#nowMs();
    if (!vision || !result?.inference || (!isStill && nowMs - this.#verdictsAtMs < readEveryMs)) return {};
    this.#verdictsAtMs = nowMs;
    return { verdicts: judgeRun(vision, result.inference, dropsFirstLabel) };
  }
}

/** A stage as the page knows it, without its thumbnail. */
export function pictureStage({ type, step, frame }: Stage, source: ReadFrame): PictureStage {
  const { widthPx, heightPx } = frame;
  const uncut = step < 0 && frame !== source && { uncut: { widthPx: source.widthPx, heightPx: source.heightPx } };
  return { type, step, widthPx, heightPx, ...uncut };
}

/** Key points and masks, for the stage alone. */
export function detailsOf({ plan, run: { result } }: RanFrame): Pick<FrameResult, 'details'> {
  if (!plan.details || !result?.inference || !result.detections) return {};
  const details = decodeDetails(result.inference.outputs, result.detections);
  return details ? { details } : {};
}

/** What the service beside the tuned one gave. */
export function besideResult({ beside, run }: BesideRun, source: ReadFrame): BesideResult {
  return {
    visionName: beside.visionName,
    modelId: beside.model.modelId,
    stages: run.stages.map((stage) => pictureStage(stage, source)),
    detections: run.result?.detections ?? null,
    classifications: listedClasses(run),
    problems: problemsOf(run),
  };
}

function listedClasses({ result }: FrameRun) {
  return result?.classifications ? surestClasses(result.classifications) : null;
}

function problemsOf({ failure }: FrameRun) {
  return failure ? [{ code: failure.code, message: failure.message, where: failure.where }] : [];
}
