import { median } from '../../../src/models/profile/quantile.ts';
import type { Frame } from '../../../src/machine/vision/face/frames.ts';
import type { InferenceSession } from '../../../src/machine/vision/face/inference.ts';
import {
  inputSpec,
  type InputSpec,
  type StretchKernel,
  type Tensor,
  tensorArrays,
  type TensorInfo,
} from '../../../src/machine/vision/face/feeding.ts';
import type { PictureSize } from '../../../src/machine/vision/face/traces.ts';

/**
 * The first run compiles shaders and grows heaps, and takes 4 to 6 times as long as later ones; five runs are
 * enough for most models.
 */
const leastRuns = 5;
const mostRuns = 12;
const steadyWithin = 0.1;

/** Time limits in ms, so that slow models do not run for ever; two runs are made in any case. */
export const patienceMs = {
  /** the first frame waits for this */
  loading: 250,
  /** two backends are compared, which needs reliable times */
  comparing: 4000,
} as const;

export interface WarmUp {
  /** median of the second half of the runs */
  readonly warmRunMs: number;
  readonly outputs: Readonly<Record<string, Tensor>>;
}

export interface WarmUpOptions {
  readonly nowMs: () => number;
  /** duration of the last run in ms, without waiting in a queue */
  readonly lastRunMs: () => number;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Runs a session until its run time no longer falls.
 * @throws InferenceError; the signal's reason when it aborts
 */
export async function warmUp(
  session: InferenceSession,
  feeds: Readonly<Record<string, Tensor>>,
  { nowMs, lastRunMs, patienceMs, signal, onProgress }: WarmUpOptions,
): Promise<WarmUp> {
  const runsMs: number[] = [];
  const startMs = nowMs();
  for (;;) {
    signal.throwIfAborted();
    const outputs = await session.run(feeds);
    runsMs.push(lastRunMs());
    onProgress?.(Math.min(1, runsMs.length / leastRuns));
    const impatient = runsMs.length >= 2 && nowMs() - startMs > patienceMs;
    const steady = runsMs.length >= leastRuns && isSteady(runsMs);
    if (steady || impatient || runsMs.length >= mostRuns) {
      return { warmRunMs: median(runsMs.slice(Math.floor(runsMs.length / 2))), outputs };
    }
  }
}

function isSteady(runsMs: readonly number[]): boolean {
  const [before, last] = runsMs.slice(-2) as [number, number];
  return Math.abs(last - before) <= steadyWithin * before;
}

/**
 * Feeds for a model that no configuration describes yet: for an image input the frame, packed with the machine's
 * defaults; ones for any other input. `size` is for the sides that the model leaves open; default: the frame's own.
 */
export function trialFeeds(
  inputs: readonly TensorInfo[],
  frame: Frame,
  kernel: StretchKernel,
  size: PictureSize = frame,
): Record<string, Tensor> {
  return Object.fromEntries(
    inputs.map((input, index) => [
      input.name,
      (index === 0 && imageTensor(input, frame, kernel, size)) || onesOf(input),
    ]),
  );
}

function imageTensor(input: TensorInfo, frame: Frame, kernel: StretchKernel, size: PictureSize): Tensor | null {
  const spec = trialInput(input, size);
  if (!spec) return null;
  const tensor = kernel.stretchToTensor(frame, spec);
  return { ...tensor, data: tensor.data.slice() }; // a kernel's tensor holds until its next one
}

/**
 * How an image input is fed that no configuration describes yet; null: the input is no image. `size` is for the
 * sides that the model leaves open.
 */
export function trialInput(input: TensorInfo, size: PictureSize): InputSpec | null {
  if (input.shape.length !== 4 || !input.shape.includes(3)) return null;
  if (input.dtype !== 'uint8' && input.dtype !== 'float32') return null;
  const spec = inputSpec([input], {
    remapInputNames: { [input.name]: 'image' },
    meanValue: [0.5, 0.5, 0.5],
    stdDev: [0.5, 0.5, 0.5],
    bgr: false,
  });
  return { ...spec, widthPx: spec.widthPx ?? size.widthPx, heightPx: spec.heightPx ?? size.heightPx };
}

const float16One = 0x3c00;

function onesOf({ dtype, shape }: TensorInfo): Tensor {
  const sizes = shape.map((size) => Math.max(1, size));
  const data = new tensorArrays[dtype](sizes.reduce((product, size) => product * size, 1));
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) data.fill(1n);
  else data.fill(dtype === 'float16' ? float16One : 1);
  return { dtype, shape: sizes, data };
}

/** A picture for models that are loaded before there is any frame: gradients and a bright disc. 256×256. */
export function testCard(): Frame {
  const size = 256;
  const samples = new Uint8ClampedArray(4 * size * size);
  for (let y = 0, i = 0; y < size; y++) {
    for (let x = 0; x < size; x++, i += 4) {
      const inDisc = (x - 128) ** 2 + (y - 112) ** 2 < 64 ** 2;
      samples.set(inDisc ? [224, 172, 105, 255] : [x, y, 255 - x, 255], i);
    }
  }
  return { format: 'rgba8', widthPx: size, heightPx: size, samples };
}
