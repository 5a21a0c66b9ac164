import type { Admission, BackendDecision } from '../../../src/platform/ports/backend-decisions.ts';
import type { Backend, Capabilities } from '../../../src/platform/ports/inference-runtime.ts';
import type { ModelSummary } from '../../../src/machine/vision/face/inference.ts';
import type { BackendChoice, BackendComparison, LoadProgress } from '../protocol.ts';
import { openWarm, type WarmSession } from './gpu-trial.ts';
import type { LoadedModelsPorts } from './loaded-models-ports.ts';
import { trialsOf } from './trials-of.ts';
import { patienceMs } from './warm-up.ts';

export interface ModelToOpen {
  readonly summary: ModelSummary;
  readonly sha256: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly choice: BackendChoice;
  /** the app's own model, which is known to run */
  readonly isBuiltin: boolean;
  /** the model is open already: if WebGPU cannot run it, that session is used further */
  readonly isOpen: boolean;
  readonly onProgress: (progress: LoadProgress) => void;
  readonly signal: AbortSignal;
}

export interface OpenedModel {
  readonly opened: Omit<WarmSession, 'warm' | 'taken'> & Partial<WarmSession>;
  /** earlier measurement of both backends by "auto"; null: there is none, or "auto" was not chosen */
  readonly comparison: BackendComparison | null;
  /** the measurement due after the first frame: of the GPU, which "auto" has still to try, or of the model's speed; null: none */
  readonly isLeft: 'gpu' | 'speed' | null;
  /** why the model was opened on the CPU although WebGPU was chosen; '': it was not */
  readonly gpuRefusal: string;
  /** what an earlier visit decided with the versions of this one, on this GPU; null: nothing */
  readonly admission: Admission | null;
}

/** WebGPU was chosen and cannot run the model, and no other session was opened. */
export interface RefusedByGpu {
  readonly opened: null;
  readonly gpuRefusal: string;
}

/**
 * Opens a model on the chosen backend and runs it until its run time is steady; the app's own model is not run on
 * the CPU before a frame needs it. "auto" starts on the GPU if an earlier visit found it faster on this GPU;
 * otherwise on the CPU, which is ready first, and it tries the GPU after the first frame. If WebGPU was chosen and
 * cannot run the model, or gave wrong results of it on an earlier visit, the CPU does.
 * @throws InferenceError; the signal's reason
 */
export async function openChosen(
  { runtime, kernel, trialFrame, nowMs, decisions, runtimeVersion }: LoadedModelsPorts,
  { summary, sha256, bytes, choice, isBuiltin, isOpen, onProgress, signal }: ModelToOpen,
): Promise<OpenedModel | RefusedByGpu> {
  onProgress({ phase: 'compiling', fraction: null });
  const openOn = (backend: Backend) =>
    openWarm(runtime, bytes, backend, {
      trials: () => trialsOf(summary, trialFrame(), kernel),
      patienceMs: patienceMs.loading,
      nowMs,
      signal,
      onProgress: (fraction) => onProgress({ phase: 'warming-up', fraction }),
    });
  const openOnCpu = async (): Promise<OpenedModel['opened']> =>
    isBuiltin ? { backend: 'wasm', session: await runtime.open(bytes, 'wasm'), refused: null } : openOn('wasm');
  const speedOf = ({ warm }: OpenedModel['opened']) => (warm ? null : 'speed');
  const byChoice = (opened: OpenedModel['opened'], gpuRefusal = ''): OpenedModel => {
    return { opened, comparison: null, isLeft: speedOf(opened), gpuRefusal, admission };
  };
  let admission: Admission | null = null;
  if (choice === 'wasm') return byChoice(await openOnCpu());
  const capabilities = runtime.capabilities();
  capabilities.catch(() => undefined); // awaited below, unless opening fails first
  const here = { runtimeVersion, capabilities };
  const [admissions, measured] = await Promise.all([decisions.admissionsOf(sha256), decisions.of(sha256)]);
  admission = await decidedHere(admissions, here);
  signal.throwIfAborted();
  if (choice === 'webgpu') {
    let gpuRefusal = admission?.fault ?? '';
    try {
      if (gpuRefusal === '') return byChoice(await openOn('webgpu'));
    } catch (error) {
      signal.throwIfAborted();
      gpuRefusal = (error as Error).message;
    }
    return isOpen ? { opened: null, gpuRefusal } : byChoice(await openOnCpu(), gpuRefusal);
  }

  const known = await decidedHere(measured, here);
  signal.throwIfAborted();
  const isRefused = admission !== null && admission.fault !== '';
  if (known?.backend === 'webgpu' && !isRefused) {
    const opened = await openOn('webgpu').catch(() => null); // the CPU takes it, as if nothing was known
    signal.throwIfAborted();
    if (opened) return { opened, comparison: rememberedComparison(known), isLeft: null, gpuRefusal: '', admission };
  }
  const opened = await openOnCpu();
  if (known?.backend === 'wasm') return { ...byChoice(opened), comparison: rememberedComparison(known) };
  if (isRefused) return byChoice(opened);
  const { webgpu: gpu } = await capabilities;
  if (gpu.available && !gpu.emulated) return { ...byChoice(opened), isLeft: 'gpu' };
  return { ...byChoice(opened), comparison: opened.warm ? cpuAlone(opened.warm.warmRunMs, gpu) : null };
}

/** Why "auto" stays on the CPU if there is no GPU to try. */
export function cpuAlone(wasmMs: number, gpu: Capabilities['webgpu']): BackendComparison {
  const reason = gpu.available ? 'The GPU here is emulated by the CPU, and cannot be faster.' : gpu.reason;
  return { wasmMs, webgpuMs: null, largestDifference: null, reason };
}

interface Here {
  readonly runtimeVersion: string;
  readonly capabilities: Promise<Capabilities>;
}

/** The decision made on this computer's GPU with the versions of this visit; null: it was with others, or there is nothing. */
async function decidedHere<T extends { readonly adapter: string; readonly runtime: string }>(
  kept: readonly T[],
  { runtimeVersion, capabilities }: Here,
): Promise<T | null> {
  if (kept.length === 0) return null;
  const { webgpu } = await capabilities;
  const isHere = ({ adapter, runtime }: T) => adapter === webgpu.adapter && runtime === runtimeVersion;
  return (webgpu.available && kept.find(isHere)) || null;
}

function rememberedComparison({ wasmMs, webgpuMs, largestDifference }: BackendDecision): BackendComparison {
  const reason = 'As measured when this model first ran on this GPU. Choose Auto again to measure again.';
  return { wasmMs, webgpuMs, largestDifference, reason };
}
