import type { Frame } from '../../../src/machine/vision/face/frames.ts';
import type { Detection, Inference } from '../../../src/machine/vision/face/results.ts';
import { detectionsAt, type ProbedService, rowsOf } from '../../../src/machine/vision/face/filters.ts';
import {
  type AnyFrame,
  decodeFrameClassifications,
  decodeFrameDetections,
  infer,
  type PipelinePorts,
  pixelsOf,
  toGpu,
} from '../../../src/machine/vision/face/runs.ts';
import type { InferenceSession } from '../../../src/machine/vision/face/inference.ts';
import type { Tensor } from '../../../src/machine/vision/face/feeding.ts';
import type { GpuParity } from '../protocol.ts';
import { compareOutputs } from './compare-outputs.ts';

export interface ParityRequest {
  /** the model's input frame, after the camera's steps */
  readonly seen: AnyFrame;
  /** the service whose model runs on the GPU */
  readonly vision: ProbedService;
  readonly onCpu: InferenceSession;
  readonly ports: PipelinePorts;
}

/**
 * Runs one frame twice, on the GPU as far as possible and on the CPU alone, and compares the results of each stage.
 * @throws InferenceError if either run fails; RangeError if the frame or the model cannot run on the GPU
 */
export async function checkParity({ seen, vision, onCpu, ports }: ParityRequest): Promise<GpuParity> {
  const { service } = vision;
  const intake = service.session.gpu;
  if (!intake) throw new RangeError('The model does not run on the GPU.');
  const frame = toGpu(seen);
  const pixels = pixelsOf(frame);
  const brought = await intake.inspect(frame, service.input);
  const tensor = ports.stretchKernel.stretchToTensor(pixels, service.input);
  const tensorDifference = largestDifference(brought.tensor.data, tensor.data);
  const gpu = await infer(frame, service, ports);
  if (gpu.gpuFault !== undefined) throw new RangeError(gpu.gpuFault);
  const cpu = await infer(pixels, { ...service, session: onCpu }, ports);
  return {
    pixelLevels: largestDifference(visible(brought.pixels), visible(pixels)),
    tensor: tensorDifference,
    outputs: compareOutputs(named(cpu), named(gpu)).largest,
    boxes: compareBoxes(boxesOf(gpu, vision, seen), boxesOf(cpu, vision, seen)),
    scores: compareClasses(gpu, cpu, vision),
  };
}

const named = ({ outputs }: Inference): Readonly<Record<string, Tensor>> => Object.fromEntries(outputs);

/** The colour of a pixel with alpha 0 is invisible and does not count. */
function visible({ samples }: Frame): Frame['samples'] {
  return samples.map((sample, at) => (samples[at | 3] === 0 ? 0 : sample));
}

function largestDifference(a: ArrayLike<number | bigint>, b: ArrayLike<number | bigint>): number {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let at = 0; at < a.length; at++) {
    if (Object.is(a[at], b[at])) continue;
    const difference = Math.abs(Number(a[at]) - Number(b[at]));
    largest = Math.max(largest, Number.isNaN(difference) ? Infinity : difference);
  }
  return largest;
}

/** The boxes that pass the service's filter; null: the service is no detector. */
function boxesOf(inference: Inference, { service, abilities }: ProbedService, seen: AnyFrame): Detection[] | null {
  const { names } = abilities.detector;
  if (!names) return null;
  const raw = decodeFrameDetections(inference, service, names, seen);
  return detectionsAt(rowsOf(raw, service.filter.rows(raw).kept));
}

/** Pairs each box of the CPU run with the nearest unpaired box of the same label. */
function compareBoxes(onGpu: Detection[] | null, onCpu: Detection[] | null): GpuParity['boxes'] {
  if (!onGpu || !onCpu) return null;
  const left = [...onGpu];
  let largestShiftPx = 0;
  let largestScore = 0;
  let paired = 0;
  for (const box of onCpu) {
    const [nearest] = left
      .filter(({ label }) => label === box.label)
      .sort(
        (a, b) => shiftPx(a, box) - shiftPx(b, box) || Math.abs(a.score - box.score) - Math.abs(b.score - box.score),
      );
    if (!nearest) continue;
    left.splice(left.indexOf(nearest), 1);
    paired++;
    largestShiftPx = Math.max(largestShiftPx, shiftPx(nearest, box));
    largestScore = Math.max(largestScore, Math.abs(nearest.score - box.score));
  }
  return { onGpu: onGpu.length, onCpu: onCpu.length, paired, largestShiftPx, largestScore };
}

function shiftPx(a: Detection, b: Detection): number {
  return Math.max(...(['xMin', 'yMin', 'xMax', 'yMax'] as const).map((side) => Math.abs(a[side] - b[side])));
}

/** null: the service is no classifier. */
function compareClasses(onGpu: Inference, onCpu: Inference, { service, abilities }: ProbedService): number | null {
  const { names } = abilities.classifier;
  if (!names) return null;
  const [gpu, cpu] = [onGpu, onCpu].map(({ outputs }) => decodeFrameClassifications(outputs, service, names).score);
  return largestDifference(gpu!, cpu!);
}
