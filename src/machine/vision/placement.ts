import type { TransformStep } from '../config/face/machine-config.ts';
import type { InferenceSession } from './inference/inference-session.ts';
import { isYuvFrame, type ReadFrame } from './yuv/yuv-frame.ts';
import { isPixelStep } from './transforms/pixel-step.ts';

/** Where a part of a frame's path is computed, with the reason in words that follow "because"; '' for the GPU. */
export interface Placed {
  readonly where: 'gpu' | 'cpu';
  readonly because: string;
}

/** Which part of a frame's path runs where. */
export interface Placement {
  /** one for each step */
  readonly steps: readonly Placed[];
  /** stretch and pack: the model's input */
  readonly packing: Placed;
  /** where camera planes are converted to colours; absent for a frame that was read as colours */
  readonly colours?: Placed;
  /**
   * for a frame that ran on the GPU: '': the model's GPU commands are captured once and replayed; otherwise why
   * not, in words as in `Placed`
   */
  readonly notCaptured?: string;
}

/** The outcome for a frame that was meant for the GPU. */
export interface GpuOutcome {
  /** why the GPU could not run the frame, in words that follow "because"; the CPU ran it instead */
  readonly gpuFault?: string;
  /**
   * for a frame that ran on the GPU: '': the model's GPU commands were captured and replayed; otherwise why not, in
   * words that follow "because"
   */
  readonly notCaptured?: string;
}

const onGpu: Placed = { where: 'gpu', because: '' };
const onCpu = (because: string): Placed => ({ where: 'cpu', because });

/**
 * Decides what runs where. The GPU takes the frame after the last step that only the CPU can do, so that pixels are
 * uploaded once and never read back.
 * @param source the frame as it was read
 * @param steps in the order of execution
 * @param session the model's session; null: no model sees the picture
 * @returns for each step and for packing: GPU or CPU, and why
 * @example
 * import { patternFrame } from './frame/pattern-frame.ts';
 * const source = patternFrame('rgba8', 4, 2);
 * placeRun(source, [], { gpu: null }).packing; // => { where: 'cpu', because: 'the model does not run on the GPU' }
 * placeRun(source, [], { gpu: { refusal: '' } }).packing; // => { where: 'gpu', because: '' }
 */
export function placeRun(
  source: ReadFrame,
  steps: readonly TransformStep[],
  session: Pick<InferenceSession, 'gpu'> | null,
): Placement {
  const placement = placeParts(steps, refusalOf(source, session));
  // Colours are converted where the first part of the path runs.
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

/** Everything on the CPU, for the same reason. */
export function allOnCpu(steps: readonly TransformStep[], because: string): Placement {
  return { steps: steps.map(() => onCpu(because)), packing: onCpu(because) };
}

/** The placement after the run: the parts that failed on the GPU were done by the CPU. */
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
