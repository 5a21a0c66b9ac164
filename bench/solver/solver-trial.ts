import { rankCauses } from '../../workers/vision/engine/rank-causes.ts';
import type { RankedHypothesis } from '../../src/fit/solver/rank-hypotheses.ts';
import type { Frame } from '../../src/vision/frame.ts';
import type { PipelinePorts } from '../../src/vision/pipeline.ts';
import { referenceStretchKernel } from '../../src/vision/preprocess/preprocess.ts';
import type { StretchKernel } from '../../src/vision/preprocess/stretch-kernel.ts';
import type { Tensor } from '../../src/vision/tensor.ts';
import type { ReadFrame } from '../../src/vision/yuv/yuv-frame.ts';
import { buildVisionService } from '../../src/vision/vision-service.ts';
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
    stretchKernel: rememberingKernel(referenceStretchKernel),
    font: { advanceOf: () => 0, maskOf: () => noMask },
    turn: (task) => task(),
    nowMs: () => performance.now(),
  };
}

/** Caches the resized frame, because three of the solver's views start with the same tensor. */
function rememberingKernel(kernel: StretchKernel): StretchKernel {
  const known = new WeakMap<ReadFrame, Map<string, Tensor>>();
  return {
    stretchToTensor(frame, spec) {
      const ofFrame = known.get(frame) ?? new Map<string, Tensor>();
      known.set(frame, ofFrame);
      const key = JSON.stringify(spec);
      const tensor = ofFrame.get(key) ?? kernel.stretchToTensor(frame, spec);
      ofFrame.set(key, tensor);
      return tensor;
    },
  };
}
