import type { Backend } from '../../../src/ports/inference-runtime.ts';
import type { BackendComparison } from '../protocol.ts';
import type { InferenceSession } from '../../../src/vision/inference/inference-session.ts';
import type { Tensor } from '../../../src/vision/tensor.ts';
import { compareOutputs, outputsAgree } from './compare-outputs.ts';
import type { ThreadedRuntime } from '../../inference/client.ts';
import { mayTakeAnotherSize, type TrialSize } from './trial-sizes.ts';
import { warmUp, type WarmUp } from './warm-up.ts';

/** One size with what is fed at it. */
export interface Trial {
  readonly size: TrialSize;
  readonly feeds: () => Readonly<Record<string, Tensor>>;
}

/** What a session is warmed up with. */
export interface WarmUpPlan {
  /** a model is warmed up on the first that it takes */
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
  /** the first size that the model took */
  readonly taken: TrialSize;
  /** the size of the frame, where the model does not take that; null = it does */
  readonly refused: TrialSize | null;
}

export interface GpuVerdict {
  readonly comparison: BackendComparison;
  /** the session to go on with, null = stay on the CPU */
  readonly webgpu: WarmSession | null;
}

/** Compiles a model and runs it until it is warm; nothing stays open when that fails. @throws InferenceError; the signal's reason */
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
 * Runs the same feeds on the CPU session and on the GPU. The GPU wins if it is faster and gives the same numbers; else its
 * session is closed. @throws the signal's reason
 */
export async function tryOnGpu(
  runtime: ThreadedRuntime,
  model: Uint8Array<ArrayBuffer>,
  onCpu: InferenceSession,
  plan: WarmUpPlan,
): Promise<GpuVerdict> {
  const { warm: wasm, taken } = await warm(runtime, onCpu, plan);
  const trials = () => plan.trials().filter(({ size }) => size === taken);
  const wasmMs = wasm.warmRunMs;
  let webgpu: WarmSession;
  try {
    webgpu = await openWarm(runtime, model, 'webgpu', { ...plan, trials });
  } catch (error) {
    plan.signal.throwIfAborted();
    const reason = `The model does not run on the GPU: ${(error as Error).message}`;
    return { comparison: { wasmMs, webgpuMs: null, largestDifference: null, reason }, webgpu: null };
  }
  const webgpuMs = webgpu.warm.warmRunMs;
  const difference = compareOutputs(wasm.outputs, webgpu.warm.outputs);
  const agree = outputsAgree(difference);
  const isFaster = webgpuMs < wasmMs;
  const reason = !agree
    ? 'The GPU gives other numbers for the same frame.'
    : `${isFaster ? 'The GPU' : 'The CPU'} is faster, and both give the same within rounding.`;
  const wins = agree && isFaster;
  if (!wins) await webgpu.session.release();
  const comparison = { wasmMs, webgpuMs, largestDifference: difference.largest, reason };
  return { comparison, webgpu: wins ? webgpu : null };
}

/** A refusal of the first size is what is thrown when none is taken. */
async function warm(
  runtime: ThreadedRuntime,
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
