import { rankCauses } from '../../workers/vision/engine/rank-causes.ts';
import type { RankedHypothesis } from '../../src/models/fit/solver/rank-hypotheses.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import type { PipelinePorts } from '../../src/machine/vision/pipeline.ts';
import { packTensor } from '../../src/machine/vision/preprocess/pack-tensor.ts';
import { stretch } from '../../src/machine/vision/preprocess/stretch.ts';
import type { StretchKernel } from '../../src/machine/vision/preprocess/stretch-kernel.ts';
import { isYuvFrame, type ReadFrame } from '../../src/machine/vision/yuv/yuv-frame.ts';
import { buildVisionService } from '../../src/machine/vision/vision-service.ts';
import type { Fault, FaultyService } from './faults.ts';
import type { SolverModel } from './solver-model.ts';

/** The service of a model with a fault; null if the fault does not apply to the model. */
export function faultyService(model: SolverModel, fault: Fault): FaultyService | null {
  const { config, labels, session } = model;
  const injected = fault.inject(model);
  return injected && { config, labels, session, turn: (frame) => frame, ...injected };
}

/** The solver's hypotheses for a fault, best first. It is told neither labels nor the symptom. */
export function solveFault(
  model: Pick<SolverModel, 'config' | 'ownLabels' | 'statedFeeding'>,
  { config, labels, session }: FaultyService,
  frames: readonly Frame[],
  ports: PipelinePorts,
): Promise<readonly RankedHypothesis[]> {
  return rankCauses({
    service: buildVisionService(config, { session, labels }),
    filter: config,
    dropsFirstLabel: Object.keys(model.config.labelConfidences).length > 0,
    frames: frames.map((frame) => ({ frame, run: null, drawn: [] })),
    symptom: 'unsure',
    ownLabels: model.ownLabels,
    statedFeeding: model.statedFeeding,
    ports,
    budgetMs: Infinity,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
}

const noMask = { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };

/** Ports of a pipeline that does not draw text on frames. */
export function trialPorts(): PipelinePorts {
  return {
    stretchKernel: rememberingKernel(),
    font: { advanceOf: () => 0, maskOf: () => noMask },
    turn: (task) => task(),
    nowMs: () => performance.now(),
  };
}

/** The reference, which stretches a frame to each size once: views and ways of feeding differ in what is made of its pixels. */
function rememberingKernel(): StretchKernel {
  const known = new WeakMap<ReadFrame, Map<string, Uint8ClampedArray<ArrayBuffer>>>();
  return {
    stretchToTensor(frame, spec) {
      const ofFrame = known.get(frame) ?? new Map<string, Uint8ClampedArray<ArrayBuffer>>();
      known.set(frame, ofFrame);
      const widthPx = spec.widthPx ?? frame.widthPx;
      const heightPx = spec.heightPx ?? frame.heightPx;
      const key = `${widthPx}x${heightPx}`;
      const pixels = ofFrame.get(key) ?? stretch(isYuvFrame(frame) ? frame.pixels() : frame, widthPx, heightPx);
      ofFrame.set(key, pixels);
      return packTensor(pixels, widthPx, heightPx, spec);
    },
  };
}
