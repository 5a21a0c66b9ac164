import type { BackendDecision } from '../../../src/ports/backend-decisions.ts';
import type { Backend, Capabilities } from '../../../src/ports/inference-runtime.ts';
import type { ModelSummary } from '../../../src/vision/inference/model-summary.ts';
import type { BackendChoice, BackendComparison, LoadProgress } from '../protocol.ts';
import { openWarm, type WarmSession } from './gpu-trial.ts';
import type { ModelShelfPorts } from './model-shelf-ports.ts';
import { trialsOf } from './trials-of.ts';
import { patienceMs } from './warm-up.ts';

export interface ModelToOpen {
  readonly summary: ModelSummary;
  readonly sha256: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly choice: BackendChoice;
  readonly onProgress: (progress: LoadProgress) => void;
  readonly signal: AbortSignal;
}

export interface OpenedModel {
  readonly opened: WarmSession;
  /** what "auto" knows of both backends; null = nothing, or it was not asked */
  readonly comparison: BackendComparison | null;
  /** "auto" has still to try the GPU */
  readonly hasGpuToTry: boolean;
}

/**
 * Opens a model on the backend that was chosen. "auto" starts where an earlier visit found it faster on this GPU; else on the CPU,
 * which is there soonest, and the GPU is tried once a frame was seen. @throws InferenceError; the signal's reason
 */
export async function openChosen(
  { runtime, kernel, trialFrame, nowMs, decisions }: ModelShelfPorts,
  { summary, sha256, bytes, choice, onProgress, signal }: ModelToOpen,
): Promise<OpenedModel> {
  onProgress({ phase: 'compiling', fraction: null });
  const openOn = (backend: Backend) =>
    openWarm(runtime, bytes, backend, {
      trials: () => trialsOf(summary, trialFrame(), kernel),
      patienceMs: patienceMs.loading,
      nowMs,
      signal,
      onProgress: (fraction) => onProgress({ phase: 'warming-up', fraction }),
    });
  if (choice !== 'auto') return { opened: await openOn(choice), comparison: null, hasGpuToTry: false };

  const capabilities = runtime.capabilities();
  capabilities.catch(() => undefined); // awaited below, unless opening fails first
  const knownOnes = await decisions.of(sha256);
  signal.throwIfAborted();
  const known = knownOnes.length > 0 ? await decisionHere(knownOnes, capabilities) : null;
  if (known?.backend === 'webgpu') {
    const opened = await openOn('webgpu').catch(() => null); // the CPU takes it, as if nothing was known
    signal.throwIfAborted();
    if (opened) return { opened, comparison: rememberedComparison(known), hasGpuToTry: false };
  }
  const opened = await openOn('wasm');
  if (known?.backend === 'wasm') return { opened, comparison: rememberedComparison(known), hasGpuToTry: false };
  const { webgpu: gpu } = await capabilities;
  if (gpu.available && !gpu.emulated) return { opened, comparison: null, hasGpuToTry: true };
  const reason = gpu.available ? 'The GPU here is emulated by the CPU, and cannot be faster.' : gpu.reason;
  const comparison = { wasmMs: opened.warm.warmRunMs, webgpuMs: null, largestDifference: null, reason };
  return { opened, comparison, hasGpuToTry: false };
}

/** What was decided on this computer's GPU; null where that is another one, or not there. */
async function decisionHere(
  decisions: readonly BackendDecision[],
  capabilities: Promise<Capabilities>,
): Promise<BackendDecision | null> {
  const { webgpu } = await capabilities;
  return (webgpu.available && decisions.find(({ adapter }) => adapter === webgpu.adapter)) || null;
}

function rememberedComparison({ wasmMs, webgpuMs, largestDifference }: BackendDecision): BackendComparison {
  const reason = 'As measured when this model first ran on this GPU. Choose Auto again to measure anew.';
  return { wasmMs, webgpuMs, largestDifference, reason };
}
