import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import type { Frame } from '../../../machine/vision/face/frames.ts';
import type { InferenceSession } from '../../../machine/vision/face/inference.ts';
import type { InferencePorts } from '../../../machine/vision/face/runs.ts';
import { asSigned } from '../../../machine/vision/face/feeding.ts';
import { buildVisionService } from '../../../machine/vision/face/filters.ts';
import { mirroredBack } from '../interpretations/agreement.ts';
import { decodedRows } from '../interpretations/decoded-rows.ts';
import type { InputInterpretation } from '../interpretations/interpretation.ts';
import { movedBack } from '../interpretations/move.ts';
import type { Run } from '../interpretations/rank-interpretations.ts';
import { feedingsToTry } from './feedings-to-try.ts';
import { surenessOfBox, surenessOfClass, type KnownAnswer } from './known-answer.ts';
import { onFrame } from './on-frame.ts';
import { ViewRuns } from './view-runs.ts';

/** A fitted model, a picture, and what is on it. */
export interface FeedingSearch {
  /** runs a model of `feedingTrial` */
  readonly session: InferenceSession;
  readonly kind: 'detections' | 'classifications';
  /** how the model would be fed without labelled pictures */
  readonly present: InputInterpretation;
  /** options say how it is fed, which know fewer ranges */
  readonly isFedByOptions: boolean;
  /** the frame that the model is fed, after all steps of the camera */
  readonly frame: Frame;
  readonly answer: KnownAnswer;
  readonly ports: InferencePorts;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/** How sure a model was of the answer, 0..1: for each way of feeding, in each view of the picture. */
export type TriedFeedings = readonly (readonly number[])[];

/** What came of one labelled picture. */
export interface TriedPicture {
  /** the ways of feeding that were tried; the same for every picture of one model */
  readonly inputs: readonly InputInterpretation[];
  /** in the order of `inputs` */
  readonly tried: TriedFeedings;
}

const views = ['run', 'mirrored', 'moved'] as const;

/**
 * Feeds a model one labelled picture in every usual way, as it is, mirrored and moved: what is on it is on all three.
 * @param search the model, the picture, and what is on it
 * @returns how sure the model was of that, by way of feeding and view
 * @throws InferenceError; the signal's reason when it aborts, of which a run that has begun takes no notice
 * @example
 * await tryFeedings({ session: { inputs: [] } }); // throws: Error
 */
export async function tryFeedings(search: FeedingSearch): Promise<TriedPicture> {
  const { session, frame, ports, present, isFedByOptions, onProgress, signal } = search;
  const service = buildVisionService(plainService, { session, labels: null });
  const inputs = feedingsToTry(present, service.input.dtype, isFedByOptions);
  const runs = new ViewRuns(frame, service, ports);
  const tried: number[][] = [];
  for (const [at, input] of inputs.entries()) {
    const seen: number[] = [];
    for (const [number, view] of views.entries()) {
      signal.throwIfAborted();
      onProgress((at + number / views.length) / inputs.length);
      seen.push(surenessOf(search, input, view, await runs.seen(view, { input, turnDegs: 0 })));
    }
    tried.push(seen);
  }
  signal.throwIfAborted();
  return { inputs, tried };
}

/** A service that says nothing of its own: what is fed is said by each trial. */
export const plainService: VisionServiceConfig = {
  name: 'trial',
  mlModelName: 'model',
  cameraName: '',
  remapInputNames: {},
  remapOutputNames: {},
  boxOrder: null,
  meanValue: asSigned.mean,
  stdDev: asSigned.stdDev,
  bgr: false,
  defaultMinimumConfidence: 0,
  labelConfidences: {},
  labelPath: '',
};

function surenessOf(
  { kind, answer, frame }: FeedingSearch,
  input: InputInterpretation,
  view: (typeof views)[number],
  run: Run,
): number {
  if (kind === 'classifications') return surenessOfClass(run.outputs, answer) ?? 0;
  const rows = decodedRows(run.outputs, run);
  if (!rows) return 0;
  const back = view === 'mirrored' ? mirroredBack(rows) : view === 'moved' ? movedBack(rows, run) : rows;
  return surenessOfBox(onFrame(back, { input, turnDegs: 0 }, frame, run), answer);
}
