import type { TransformStep } from '../config/machine-config.ts';
import type { InferenceSession } from './inference/inference-session.ts';
import { isYuvFrame, type ReadFrame } from './yuv/yuv-frame.ts';
import { isPixelStep } from './transforms/pixel-step.ts';

/** Where a part of a frame's way is computed, and why there, in words that follow "because"; '' where it is on the GPU. */
export interface Placed {
  readonly where: 'gpu' | 'cpu';
  readonly because: string;
}

/** What of a frame's way runs where. */
export interface Placement {
  /** one a step */
  readonly steps: readonly Placed[];
  /** stretch and pack: the model's input */
  readonly packing: Placed;
  /** where the colours of a camera's planes are made; absent where the frame was read with its colours */
  readonly colours?: Placed;
  /** of a frame that the GPU took: '' = the model's orders to it are recorded, and repeated; else why not, as in `Placed` */
  readonly notCaptured?: string;
}

/** How a frame that was for the GPU fared there. */
export interface GpuOutcome {
  /** why the GPU could not run a frame that was for it, in words that follow "because"; the CPU packed it instead */
  readonly gpuFault?: string;
  /** of a frame that the GPU took: '' = the model's orders were recorded, and repeated; else why not, in words that follow "because" */
  readonly notCaptured?: string;
}

const onGpu: Placed = { where: 'gpu', because: '' };
const onCpu = (because: string): Placed => ({ where: 'cpu', because });

/**
 * Decides what of a frame's way runs where: on the GPU from the last step on that only the CPU knows, so that pixels go there once
 * and never come back.
 */
export function placeRun(
  source: ReadFrame,
  steps: readonly TransformStep[],
  session: Pick<InferenceSession, 'gpu'> | null,
): Placement {
  const placement = placeParts(steps, refusalOf(source, session));
  // Whoever has the frame first.
  return isYuvFrame(source) ? { ...placement, colours: placement.steps[0] ?? placement.packing } : placement;
}

function placeParts(steps: readonly TransformStep[], refusal: string): Placement {
  if (refusal !== '') return allOnCpu(steps, refusal);
  const lastDrawing = steps.findLastIndex((step) => !isPixelStep(step));
  const placeStep = (step: TransformStep, at: number): Placed => {
    if (at > lastDrawing) return onGpu;
    return onCpu(isPixelStep(step) ? `step ${lastDrawing + 1} draws on the picture` : 'it draws on the picture');
  };
  return { steps: steps.map(placeStep), packing: onGpu };
}

/** Everything on the CPU, for one reason. */
export function allOnCpu(steps: readonly TransformStep[], because: string): Placement {
  return { steps: steps.map(() => onCpu(because)), packing: onCpu(because) };
}

/** How a run went that was placed so: what was on the GPU and failed there, the CPU did. */
export function afterRun(placement: Placement, { gpuFault, notCaptured }: GpuOutcome): Placement {
  if (gpuFault === undefined) return notCaptured === undefined ? placement : { ...placement, notCaptured };
  const { steps, packing, colours } = placement;
  const again = (placed: Placed) => (placed.where === 'gpu' ? onCpu(gpuFault) : placed);
  return { steps: steps.map(again), packing: again(packing), ...(colours && { colours: again(colours) }) };
}

function refusalOf(source: ReadFrame, session: Pick<InferenceSession, 'gpu'> | null): string {
  if (!session) return 'no model sees the picture';
  if (!session.gpu) return 'the model does not run on the GPU';
  if (session.gpu.refusal !== '') return session.gpu.refusal;
  if (source.format === 'rgba16') return 'the picture has 16 bits a colour, more than the shaders hold';
  return '';
}
