import type { Inference, RawDetections } from '../../../src/machine/vision/face/results.ts';
import {
  type AnyFrame,
  decodeFrameClassifications,
  decodeFrameDetections,
  infer,
  type PipelinePorts,
  pixelsOf,
} from '../../../src/machine/vision/face/runs.ts';
import type { InferenceSession } from '../../../src/machine/vision/face/inference.ts';
import type { ProbedService } from '../../../src/machine/vision/face/filters.ts';
import { compareOutputs, outputsAgree } from './compare-outputs.ts';
import { brokenOutput } from './broken-output.ts';

export interface WatchedRun {
  /** the model's input frame, after the camera's steps */
  readonly seen: AnyFrame;
  readonly vision: ProbedService;
  readonly onGpu: Inference;
  /** a session of the same model */
  readonly onCpu: InferenceSession;
  readonly ports: PipelinePorts;
}

/** Differences up to these come from rounding; a wrong kernel causes far larger ones. */
const tolerated = { share: 0.01, score: 0.01, leastPx: 2 } as const;
/** At most so many boxes of a frame are compared. */
const mostBoxes = 200;

/**
 * Runs a frame on the CPU, and compares what the service says with what it said of the GPU's run, at the current thresholds.
 * @returns '' where both say the same but for rounding; else what the GPU gave, as a sentence
 * @throws InferenceError if the CPU cannot run it
 */
export async function gpuFault({ seen, vision, onGpu, onCpu, ports }: WatchedRun): Promise<string> {
  const { service, abilities } = vision;
  const cpu = await infer(pixelsOf(seen), { ...service, session: onCpu }, ports);
  const [right, given] = [Object.fromEntries(cpu.outputs), Object.fromEntries(onGpu.outputs)];
  if (outputsAgree(compareOutputs(right, given))) return '';
  const broken = brokenOutput(right, given);
  if (broken !== '') return broken;
  const { detector, classifier } = abilities;
  if (detector.names) {
    const of = (inference: Inference) => decodeFrameDetections(inference, service, detector.names!, seen);
    return otherBoxes(of(onGpu), of(cpu), service.filter);
  }
  if (classifier.names) {
    const of = ({ outputs }: Inference) => decodeFrameClassifications(outputs, service, classifier.names!).score;
    return otherScores(of(onGpu), of(cpu));
  }
  return 'The GPU gave other numbers than the CPU for the same frame.';
}

function otherBoxes(gpu: RawDetections, cpu: RawDetections, filter: ProbedService['service']['filter']): string {
  const [onGpu, onCpu] = [filter.rows(gpu).kept, filter.rows(cpu).kept];
  const alone = aloneOf(cpu, onCpu, gpu);
  if (alone === 0 && aloneOf(gpu, onGpu, cpu) === 0) return '';
  const counts = `${onGpu.length} on the GPU, ${onCpu.length} on the CPU`;
  return `The GPU gave other boxes than the CPU for the same frame: ${counts}, ${alone} of the CPU’s not on the GPU.`;
}

/** Counts the kept boxes without a match in the other run. Boxes that the other run dropped match too: a score may lie just below a threshold. */
function aloneOf(run: RawDetections, kept: Uint32Array, other: RawDetections): number {
  const tolerancePx = Math.max(tolerated.leastPx, tolerated.share * Math.max(run.frameWidthPx, run.frameHeightPx));
  const labelOf = ({ labels, labelIndex }: RawDetections, row: number) => labels[labelIndex[row]!];
  const isLike = (row: number, otherRow: number): boolean =>
    Math.abs(run.score[row]! - other.score[otherRow]!) <= tolerated.score &&
    labelOf(run, row) === labelOf(other, otherRow) &&
    [0, 1, 2, 3].every((side) => Math.abs(run.box[4 * row + side]! - other.box[4 * otherRow + side]!) <= tolerancePx);
  const hasLike = (row: number): boolean => {
    for (let otherRow = 0; otherRow < other.count; otherRow++) if (isLike(row, otherRow)) return true;
    return false;
  };
  return [...kept.slice(0, mostBoxes)].filter((row) => !hasLike(row)).length;
}

function otherScores(gpu: Float64Array, cpu: Float64Array): string {
  const magnitude = cpu.reduce((most, score) => Math.max(most, Math.abs(score)), 1);
  const apart = gpu.length === cpu.length ? cpu.map((score, at) => Math.abs(score - gpu[at]!)) : [Infinity];
  const agree = apart.every((difference) => difference <= tolerated.score * magnitude);
  return agree ? '' : 'The GPU gave other scores of classes than the CPU for the same frame.';
}
