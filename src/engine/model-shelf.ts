import { checkModel } from '../onnx/check-model.ts';
import { readModel, type ModelSummary } from '../onnx/read-model.ts';
import type {
  Backend,
  BackendChoice,
  BackendComparison,
  LoadProgress,
  ModelDescription,
  ModelSource,
} from '../rpc/vision-protocol.ts';
import type { Frame } from '../vision/frame.ts';
import type { InferenceSession } from '../vision/inference/inference-session.ts';
import type { StretchKernel } from '../vision/preprocess/stretch-kernel.ts';
import { compareOutputs, outputsAgree } from './compare-outputs.ts';
import { FallbackSession } from './fallback-session.ts';
import { ModelStoreError, type InferenceRuntime, type ModelStore } from './ports.ts';
import { readModelSource, type ModelFile } from './read-model-source.ts';
import { trialFeeds, warmUp, type WarmUp } from './warm-up.ts';

export interface LoadedModel {
  readonly description: ModelDescription;
  readonly session: InferenceSession;
  /** box order that the model's metadata carries */
  readonly boxOrder: readonly number[] | null;
  /** tells a model from the same one loaded again */
  readonly loadNumber: number;
}

export interface ModelShelfPorts {
  readonly runtime: InferenceRuntime;
  readonly store: ModelStore;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  readonly kernel: StretchKernel;
  readonly nowMs: () => number;
  readonly documentBase: string;
  /** picture that models are tried on */
  readonly trialFrame: () => Frame;
}

interface Candidate {
  readonly backend: Backend;
  readonly session: InferenceSession;
  readonly warm: WarmUp;
}

/** The models that are loaded, by the SHA-256 of their bytes. */
export class ModelShelf {
  readonly #ports: ModelShelfPorts;
  readonly #models = new Map<string, LoadedModel>();
  #loadCount = 0;

  constructor(ports: ModelShelfPorts) {
    this.#ports = ports;
  }

  get(modelId: string): LoadedModel | undefined {
    return this.#models.get(modelId);
  }

  /** @throws ModelSourceError, ModelError, InferenceError; the signal's reason when it aborts */
  async load(
    source: ModelSource,
    choice: BackendChoice,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<LoadedModel> {
    const file = await readModelSource(source, this.#ports, onProgress, signal);
    onProgress({ phase: 'hashing', fraction: null });
    const sha256 = await this.#ports.sha256(file.bytes);
    const summary = readModel(file.bytes);
    const refusals = checkModel(summary);
    // A dtype that only the machine refuses can still be looked at; the probe says why it does not run.
    const fatal = refusals.find(({ code }) => code !== 'unsupported-dtype');
    if (fatal) throw fatal;

    await this.unload(sha256); // loaded before: its memory goes first
    const { chosen, comparison } = await this.#openChosen(summary, file.bytes, choice, onProgress, signal);
    const reopen = async () => this.#ports.runtime.open((await this.#readAgain(source, sha256)).bytes, 'wasm');
    const session = chosen.backend === 'webgpu' ? new FallbackSession(chosen.session, reopen) : chosen.session;
    const storage = await this.#keep(source, sha256, file, onProgress);
    const description: ModelDescription = {
      modelId: sha256,
      sha256,
      fileName: file.fileName,
      byteLength: file.bytes.length,
      inputs: summary.inputs,
      outputs: summary.outputs,
      irVersion: summary.irVersion,
      opsets: summary.opsets,
      producer: summary.producer,
      graphName: summary.graphName,
      metadata: summary.metadata,
      labels: summary.labels,
      labelsFrom: summary.labelsFrom,
      backend: chosen.backend,
      comparison,
      warmRunMs: chosen.warm.warmRunMs,
      ...storage,
      warnings: [...new Set([...refusals.map(({ message }) => message), ...summary.warnings])],
    };
    const model = { description, session, boxOrder: summary.boxOrder, loadNumber: ++this.#loadCount };
    this.#models.set(sha256, model);
    return model;
  }

  async unload(modelId: string): Promise<void> {
    const model = this.#models.get(modelId);
    this.#models.delete(modelId);
    if (model) await model.session.release();
  }

  /** Moves every model that was on the GPU to the CPU; returns how many. */
  gpuLost(): number {
    const stranded = [...this.#models.values()].flatMap(({ session }) =>
      session instanceof FallbackSession ? [session] : [],
    );
    for (const session of stranded) session.deviceLost().catch(() => undefined); // its next run says why
    return stranded.length;
  }

  async #openChosen(
    summary: ModelSummary,
    bytes: Uint8Array<ArrayBuffer>,
    choice: BackendChoice,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<{ chosen: Candidate; comparison: BackendComparison | null }> {
    const open = (backend: Backend) => this.#openWarm(summary, bytes, backend, onProgress, signal);
    if (choice !== 'auto') return { chosen: await open(choice), comparison: null };
    const wasm = await open('wasm');
    const { webgpu: gpu } = await this.#ports.runtime.capabilities();
    const onlyWasm = (reason: string, webgpuMs: number | null = null, largestDifference: number | null = null) => ({
      chosen: wasm,
      comparison: { wasmMs: wasm.warm.warmRunMs, webgpuMs, largestDifference, reason },
    });
    if (!gpu.available) return onlyWasm(gpu.reason);
    if (gpu.emulated) return onlyWasm('The GPU here is emulated by the CPU, and cannot be faster.');
    let webgpu: Candidate;
    try {
      webgpu = await open('webgpu');
    } catch (error) {
      if (signal.aborted) await wasm.session.release();
      signal.throwIfAborted();
      return onlyWasm(`The model does not run on the GPU: ${(error as Error).message}`);
    }
    onProgress({ phase: 'comparing', fraction: null });
    const difference = compareOutputs(wasm.warm.outputs, webgpu.warm.outputs);
    const agree = outputsAgree(difference);
    const isFaster = webgpu.warm.warmRunMs < wasm.warm.warmRunMs;
    const [chosen, other] = agree && isFaster ? [webgpu, wasm] : [wasm, webgpu];
    await other.session.release();
    const reason = !agree
      ? 'The GPU gives other numbers for the same frame.'
      : `${isFaster ? 'The GPU' : 'The CPU'} is faster, and both give the same within rounding.`;
    const { largest: largestDifference } = difference;
    const [wasmMs, webgpuMs] = [wasm.warm.warmRunMs, webgpu.warm.warmRunMs];
    return { chosen, comparison: { wasmMs, webgpuMs, largestDifference, reason } };
  }

  async #openWarm(
    summary: ModelSummary,
    bytes: Uint8Array<ArrayBuffer>,
    backend: Backend,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<Candidate> {
    const { runtime, kernel, nowMs, trialFrame } = this.#ports;
    onProgress({ phase: 'compiling', fraction: null });
    signal.throwIfAborted();
    const session = await runtime.open(bytes, backend);
    try {
      const feeds = trialFeeds(summary.inputs, trialFrame(), kernel);
      const warm = await warmUp(session, feeds, nowMs, signal, (fraction) =>
        onProgress({ phase: 'warming-up', fraction }),
      );
      return { backend, session, warm };
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  /** The app's own models need no copy: the app keeps them. */
  async #keep(
    source: ModelSource,
    sha256: string,
    { fileName, bytes }: ModelFile,
    onProgress: (progress: LoadProgress) => void,
  ): Promise<Pick<ModelDescription, 'stored' | 'storedReason'>> {
    if (source.kind === 'stored') return { stored: true, storedReason: '' };
    if (source.kind === 'builtin') return { stored: false, storedReason: 'Part of the app.' };
    onProgress({ phase: 'storing', fraction: null });
    try {
      const record = { sha256, fileName, byteLength: bytes.length, storedAtMs: Date.now() };
      await this.#ports.store.write(record, new Blob([bytes]));
      return { stored: true, storedReason: '' };
    } catch (error) {
      if (!(error instanceof ModelStoreError)) throw error;
      return { stored: false, storedReason: `${error.message} It stays in memory until the page is closed.` };
    }
  }

  #readAgain(source: ModelSource, sha256: string): Promise<ModelFile> {
    const read = (from: ModelSource) =>
      readModelSource(from, this.#ports, () => undefined, new AbortController().signal);
    return source.kind === 'builtin' ? read(source) : read({ kind: 'stored', sha256 }).catch(() => read(source));
  }
}
