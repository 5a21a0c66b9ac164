import type { Backend } from '../../../src/platform/ports/inference-runtime.ts';
import { median } from '../../../src/models/profile/quantile.ts';
import type { BackendComparison } from '../protocol.ts';
import type { InferenceSession } from '../../../src/machine/vision/face/inference.ts';
import type { Frame } from '../../../src/machine/vision/face/frames.ts';
import { infer, type InferencePorts, placeRun, toGpu } from '../../../src/machine/vision/face/runs.ts';
import { InferenceError } from '../../../src/machine/vision/face/errors.ts';
import type { InputSpec, Tensor } from '../../../src/machine/vision/face/feeding.ts';
import { compareOutputs, outputsAgree } from './compare-outputs.ts';
import type { ThreadedRuntime } from '../../inference/client.ts';
import { mayTakeAnotherSize, type TrialSize } from './trial-sizes.ts';
import { warmUp, type WarmUp } from './warm-up.ts';

/** One input size with the feeds for it. */
export interface Trial {
  readonly size: TrialSize;
  readonly feeds: () => Readonly<Record<string, Tensor>>;
  /** the picture that the feeds are made of, and how; null: the model takes anything but a single picture */
  readonly picture: { readonly frame: Frame; readonly input: InputSpec } | null;
}

/** What a session is warmed up with. */
export interface WarmUpPlan {
  /** the model is warmed up with the first of these that it accepts */
  readonly trials: () => readonly Trial[];
  readonly nowMs: () => number;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

export interface WarmSession {
  readonly backend: Backend;
  readonly session: InferenceSession;
  readonly warm: WarmUp;
  /** the first size that the model accepted */
  readonly taken: TrialSize;
  /** the frame's own size, if the model refused it; null: it did not */
  readonly refused: TrialSize | null;
}

export interface GpuVerdict {
  readonly comparison: BackendComparison;
  /** the session to use from now on; null: stay on the CPU */
  readonly webgpu: WarmSession | null;
}

/**
 * Opens a model and runs it until its run time is steady; if that fails, the session is closed.
 * @throws InferenceError; the signal's reason
 */
export async function openWarm(
  runtime: ThreadedRuntime,
  model: Uint8Array<ArrayBuffer>,
  backend: Backend,
  plan: WarmUpPlan,
): Promise<WarmSession> {
  plan.signal.throwIfAborted();
  const session = await runtime.open(model, backend);
  try {
    return { backend, session, ...(await warm(runtime, session, plan)) };
  } catch (error) {
    await session.release();
    throw error;
  }
}

/**
 * Runs the same feeds on the CPU session and on the GPU, and then the whole path from a picture to the model's
 * outputs as often. The GPU wins if it is faster and gives the same outputs; otherwise its session is closed.
 * @throws the signal's reason
 */
export async function tryOnGpu(
  runtime: ThreadedRuntime,
  model: Uint8Array<ArrayBuffer>,
  onCpu: InferenceSession,
  plan: WarmUpPlan,
  ports: InferencePorts,
): Promise<GpuVerdict> {
  const { warm: wasm, taken } = await warm(runtime, onCpu, plan);
  const trials = () => plan.trials().filter(({ size }) => size === taken);
  let webgpu: WarmSession;
  try {
    webgpu = await openWarm(runtime, model, 'webgpu', { ...plan, trials });
  } catch (error) {
    plan.signal.throwIfAborted();
    const reason = `The model does not run on the GPU: ${(error as Error).message}`;
    return { comparison: { wasmMs: wasm.warmRunMs, webgpuMs: null, largestDifference: null, reason }, webgpu: null };
  }
  const difference = compareOutputs(wasm.outputs, webgpu.warm.outputs);
  const agree = outputsAgree(difference);
  if (!agree) {
    await webgpu.session.release();
    const reason = 'The GPU gives other numbers for the same frame.';
    const times = { wasmMs: wasm.warmRunMs, webgpuMs: webgpu.warm.warmRunMs };
    return { comparison: { ...times, largestDifference: difference.largest, reason }, webgpu: null };
  }
  try {
    const [wasmMs, webgpuMs] = await pathTimes(runtime, [onCpu, webgpu.session], trials()[0]!, plan, ports);
    const wins = webgpuMs! < wasmMs!;
    if (!wins) await webgpu.session.release();
    const reason =
      `${wins ? 'The GPU' : 'The CPU'} is faster, and both give the same within rounding. ` +
      `Medians of ${pathRuns} warm runs each of the whole path, stretch and pack included.`;
    const comparison = { wasmMs: wasmMs!, webgpuMs: webgpuMs!, largestDifference: difference.largest, reason };
    return { comparison, webgpu: wins ? webgpu : null };
  } catch (error) {
    await webgpu.session.release();
    throw error;
  }
}

const pathRuns = 10;

/**
 * The median time of a picture's whole path on each session, or of runs alone if the model takes anything but a
 * single picture. The sessions alternate, so that other load on the computer affects both alike.
 */
async function pathTimes(
  runtime: ThreadedRuntime,
  sessions: readonly InferenceSession[],
  { picture, feeds }: Trial,
  { signal }: WarmUpPlan,
  ports: InferencePorts,
): Promise<number[]> {
  const times = sessions.map((): number[] => []);
  for (let run = 0; run < pathRuns; run++) {
    for (const [at, session] of sessions.entries()) {
      signal.throwIfAborted();
      let preprocessMs = 0;
      if (picture) {
        const isForGpu = placeRun(picture.frame, [], session).packing.where === 'gpu';
        const frame = isForGpu ? toGpu(picture.frame) : picture.frame;
        const { gpuFault, ...ran } = await infer(frame, { session, input: picture.input }, ports);
        if (gpuFault !== undefined) throw new InferenceError('runtime', gpuFault);
        ({ preprocessMs } = ran);
      } else await session.run(feeds());
      times[at]!.push(preprocessMs + runtime.lastRunMs);
    }
  }
  return times.map(median);
}

/**
 * Runs a session until its run time is steady. If no size is accepted, the refusal of the first size is thrown.
 * @throws InferenceError; the signal's reason
 */
export async function warm(
  runtime: Pick<ThreadedRuntime, 'lastRunMs'>,
  session: InferenceSession,
  { trials, ...plan }: WarmUpPlan,
): Promise<Pick<WarmSession, 'warm' | 'taken' | 'refused'>> {
  let refusal: unknown;
  const [own, ...others] = trials();
  for (const trial of [own!, ...others]) {
    try {
      const warm = await warmUp(session, trial.feeds(), { ...plan, lastRunMs: () => runtime.lastRunMs });
      return { warm, taken: trial.size, refused: trial === own ? null : own!.size };
    } catch (error) {
      refusal ??= error;
      if (!mayTakeAnotherSize(error)) break;
    }
  }
  throw refusal;
}
