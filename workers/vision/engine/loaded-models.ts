import { fileFindings } from '../../../src/models/fit/modules/file-findings.ts';
import { readModelFile } from '../../../src/models/read-model-file.ts';
import type { BackendChoice, LoadProgress, ModelDescription } from '../protocol.ts';
import type { Admission } from '../../../src/platform/ports/backend-decisions.ts';
import type { AnyModelSource, LiveModelSource, ModelSource } from '../../../src/platform/ports/model-source.ts';
import { InferenceError } from '../../../src/machine/vision/face/errors.ts';
import type { InferenceSession, ModelSummary } from '../../../src/machine/vision/face/inference.ts';
import { isChannelsFirst } from '../../../src/machine/vision/face/feeding.ts';
import { FallbackSession } from './fallback-session.ts';
import { tryOnGpu, warm } from './gpu-trial.ts';
import type { LoadedModelsPorts } from './loaded-models-ports.ts';
import { cpuAlone, openChosen, type OpenedModel } from './open-chosen.ts';
import { BrowserStoreError } from '../../../src/platform/ports/browser-store-error.ts';
import { readModelSource, type ModelFile } from './read-model-source.ts';
import { refuseVastInputs } from './refuse-vast-inputs.ts';
import { withNeed } from './refuse-vast-models.ts';
import { sizeNote } from './trial-sizes.ts';
import { trialsOf } from './trials-of.ts';
import { patienceMs } from './warm-up.ts';
import { describeLive } from './describe-live.ts';

export interface LoadedModel {
  readonly description: ModelDescription;
  readonly session: InferenceSession;
  /** tells a model from the same one loaded again */
  readonly loadNumber: number;
}

/** The backend that "auto" chose after measuring a model on both. */
export interface Decision {
  readonly model: LoadedModel;
  /** Frees the session that was replaced, if any; call it when no frame uses it any more. */
  readonly retire: () => Promise<void>;
}

/** A frame of the GPU that was compared with the CPU's. */
type Compared = Omit<Admission, 'decidedAtMs' | 'runtime'>;

/** The loaded models, by the SHA-256 of their bytes, or by the machine that runs them. */
export class LoadedModels {
  readonly #ports: LoadedModelsPorts;
  readonly #models = new Map<string, LoadedModel>();
  /** by modelId: the measurement that is still to be done */
  readonly #trials = new Map<string, () => Promise<Decision | null>>();
  readonly #trying = new Map<string, AbortController>();
  /** by modelId: opens the model on the CPU */
  readonly #reopens = new Map<string, () => Promise<InferenceSession>>();
  #loadCount = 0;

  constructor(ports: LoadedModelsPorts) {
    this.#ports = ports;
  }

  get(modelId: string): LoadedModel | undefined {
    return this.#models.get(modelId);
  }

  /** @throws ModelSourceError, ModelError, InferenceError; the signal's reason when it aborts */
  load(
    source: AnyModelSource,
    choice: BackendChoice,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<LoadedModel> {
    return source.kind === 'live'
      ? this.#borrow(source, onProgress, signal)
      : this.#loadFile(source, choice, onProgress, signal);
  }

  /** Runs nothing before a frame asks for it: a live machine receives only pictures that a person chose to send. */
  async #borrow(
    source: LiveModelSource,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<LoadedModel> {
    const { modelName, url } = source;
    onProgress({ phase: 'asking', fraction: null });
    const session = await this.#ports.runtime.borrow(source);
    if (signal.aborted) await session.release();
    signal.throwIfAborted();
    const modelId = `${modelName} @ ${url}`;
    return this.#add(describeLive(modelId, source, session), session);
  }

  /** Adds an open model, replacing the same model if it is loaded already. */
  async #add(description: ModelDescription, session: InferenceSession): Promise<LoadedModel> {
    const model = { description, session, loadNumber: ++this.#loadCount };
    const before = this.#takeOff(description.modelId);
    this.#models.set(description.modelId, model); // in the same task: no frame finds the model missing
    if (before) await this.#release(before);
    return model;
  }

  /** null: the model was unloaded meanwhile. */
  #redescribe(modelId: string, said: Partial<ModelDescription>): LoadedModel | null {
    const model = this.#models.get(modelId);
    if (!model) return null;
    const redescribed = { ...model, description: { ...model.description, ...said } };
    this.#models.set(modelId, redescribed);
    return redescribed;
  }

  async #loadFile(
    source: ModelSource,
    choice: BackendChoice,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<LoadedModel> {
    const file = await readModelSource(source, this.#ports, onProgress, signal);
    onProgress({ phase: 'hashing', fraction: null });
    const sha256 = await this.#ports.sha256(file.bytes);
    const { summary, facts, obstacles } = readModelFile(file.bytes, file.fileName);
    const [obstacle] = obstacles;
    if (obstacle) throw obstacle;
    refuseVastInputs(summary.inputs);

    signal.throwIfAborted();
    const chosen = await openChosen(this.#ports, {
      summary,
      sha256,
      bytes: file.bytes,
      choice,
      isBuiltin: source.kind === 'builtin',
      isOpen: this.#models.has(sha256),
      onProgress,
      signal,
    }).catch((error: unknown) => {
      throw withNeed(error, file.bytes.length);
    });
    if (!chosen.opened) {
      const running = this.#redescribe(sha256, { gpuRefusal: chosen.gpuRefusal });
      if (running) return running;
      throw new InferenceError('runtime', chosen.gpuRefusal);
    }
    const { opened, comparison, isLeft, gpuRefusal, admission } = chosen;
    const reopen = async () => this.#ports.runtime.open((await this.readAgain(source, sha256)).bytes, 'wasm');
    const storage = await this.#keep(source, sha256, file, onProgress);
    if (signal.aborted) await opened.session.release();
    signal.throwIfAborted(); // a later load may have put the same model here
    const description: ModelDescription = {
      modelId: sha256,
      sha256,
      fileName: file.fileName,
      byteLength: file.bytes.length,
      inputs: summary.inputs,
      outputs: summary.outputs,
      format: summary.format,
      producer: summary.producer,
      graphName: summary.graphName,
      metadata: summary.metadata,
      labels: summary.labels,
      labelsFrom: summary.labelsFrom,
      boxOrder: summary.boxOrder,
      backend: opened.backend,
      gpuRefusal,
      admission,
      runsAt: '',
      comparison,
      warmRunMs: opened.warm?.warmRunMs ?? null,
      ...storage,
      moduleFindings: fileFindings(facts),
      warnings: [...summary.warnings, ...sizeNotes(summary, opened)],
    };
    const session = opened.backend === 'webgpu' ? this.#onGpu(opened.session, reopen, description) : opened.session;
    const model = await this.#add(description, session);
    if (this.#models.get(sha256) !== model) return model; // unloaded, or loaded once more, while the one before left
    this.#reopens.set(sha256, reopen);
    if (isLeft === 'gpu') this.#trials.set(sha256, () => this.#tryGpu(model, summary, file.bytes, reopen));
    if (isLeft === 'speed') this.#trials.set(sha256, () => this.#measure(model, choice));
    return model;
  }

  /**
   * Opens a second session of a model on the CPU; the caller releases it. Rejects with an InferenceError, or with a
   * RangeError for a model whose file is not here.
   */
  async openOnCpu(modelId: string): Promise<InferenceSession> {
    const reopen = this.#reopens.get(modelId);
    if (!reopen) throw new RangeError(`No file of the model "${modelId}" is here.`);
    return reopen();
  }

  async unload(modelId: string): Promise<void> {
    const model = this.#takeOff(modelId);
    if (model) await this.#release(model);
  }

  #takeOff(modelId: string): LoadedModel | undefined {
    const model = this.#models.get(modelId);
    this.#models.delete(modelId);
    this.#trials.delete(modelId);
    this.#reopens.delete(modelId);
    this.#trying.get(modelId)?.abort();
    return model;
  }

  async #release({ session }: LoadedModel): Promise<void> {
    await this.#ports.whenUnused();
    await session.release();
  }

  /**
   * Measures a model if that is still to be done: "auto" runs the same frame on both backends and uses the better
   * one. Frames may run meanwhile. null: there is nothing to decide, or the model was unloaded.
   */
  async decide(modelId: string): Promise<Decision | null> {
    const trial = this.#trials.get(modelId);
    this.#trials.delete(modelId);
    return trial ? trial() : null;
  }

  /** Moves every model that was on the GPU to the CPU; returns how many. */
  gpuLost(): number {
    const stranded = [...this.#models.values()].filter(({ session }) => session instanceof FallbackSession);
    for (const { session, description } of stranded) {
      (session as FallbackSession).moveToCpu().catch(() => undefined); // its next run says why
      this.#wentToCpu(description.modelId, 'The GPU went away.');
    }
    return stranded.length;
  }

  /**
   * Says and keeps what a comparison with the CPU decided. A model that the GPU computes wrongly goes on on the CPU, on later visits
   * too, until something that computes is another version, or a person chooses anew. One that was loaded again meanwhile is left alone.
   */
  async judge({ description: { modelId }, loadNumber }: LoadedModel, compared: Compared): Promise<void> {
    const model = this.#models.get(modelId);
    if (model?.loadNumber !== loadNumber || model.description.backend !== 'webgpu') return;
    const { session, description } = model;
    const { runtime, decisions, runtimeVersion, onGpuLeft, onDescribed } = this.#ports;
    const admission = { ...compared, decidedAtMs: Date.now(), runtime: runtimeVersion };
    const { fault } = compared;
    if (fault !== '' && session instanceof FallbackSession) {
      await session.moveToCpu();
      this.#wentToCpu(modelId, fault, { comparison: null, admission });
      onGpuLeft(description.fileName, fault);
      await this.forgetDecision(modelId);
    } else {
      const said = this.#redescribe(modelId, { admission });
      if (said) onDescribed(said.description);
    }
    const { adapter } = (await runtime.capabilities()).webgpu;
    await decisions.keepAdmission({ ...admission, sha256: description.sha256, adapter });
  }

  /** Records that a model of the GPU runs on the CPU from now on. */
  #wentToCpu(modelId: string, gpuRefusal: string, said: Partial<ModelDescription> = {}): void {
    if (this.#models.get(modelId)?.description.backend !== 'webgpu') return;
    const model = this.#redescribe(modelId, { backend: 'wasm', warmRunMs: null, gpuRefusal, ...said });
    if (!model) return;
    this.#trials.set(modelId, () => this.#measure(model, 'wasm'));
    this.#ports.onDescribed(model.description);
  }

  /** Lets the next load by "auto" measure the model again. */
  forgetDecision(modelId: string): Promise<void> {
    return this.#ports.decisions.forget(modelId);
  }

  #onGpu(
    session: InferenceSession,
    reopen: () => Promise<InferenceSession>,
    { modelId, fileName }: ModelDescription,
  ): FallbackSession {
    const { nowMs, onGpuLeft } = this.#ports;
    return new FallbackSession(session, reopen, nowMs, (reason) => {
      this.#wentToCpu(modelId, reason);
      onGpuLeft(fileName, reason);
    });
  }

  /** Measures the speed of a model that was not run before its first frame. */
  #measure(model: LoadedModel, choice: BackendChoice): Promise<Decision | null> {
    const { runtime, kernel, trialFrame, nowMs } = this.#ports;
    return this.#whileLoaded(model, async (signal) => {
      const trials = () => trialsOf(model.description, trialFrame(), kernel);
      const plan = { trials, patienceMs: patienceMs.loading, nowMs, signal };
      const { warmRunMs } = (await warm(runtime, model.session, plan)).warm;
      const { webgpu } = await runtime.capabilities();
      signal.throwIfAborted();
      const { comparison } = model.description;
      const compared = choice === 'auto' ? (comparison ?? cpuAlone(warmRunMs, webgpu)) : null;
      const decided = { ...model, description: { ...model.description, warmRunMs, comparison: compared } };
      this.#models.set(model.description.modelId, decided);
      return { model: decided, retire: () => Promise.resolve() };
    });
  }

  #tryGpu(
    model: LoadedModel,
    summary: ModelSummary,
    bytes: Uint8Array<ArrayBuffer>,
    reopen: () => Promise<InferenceSession>,
  ): Promise<Decision | null> {
    const { runtime, kernel, trialFrame, nowMs } = this.#ports;
    const trials = trialsOf(summary, trialFrame(), kernel);
    return this.#whileLoaded(model, async (signal) => {
      const plan = { trials: () => trials, patienceMs: patienceMs.comparing, nowMs, signal };
      const { comparison, webgpu } = await tryOnGpu(runtime, bytes, model.session, plan, {
        stretchKernel: kernel,
        turn: (task) => task(),
        nowMs,
      });
      if (signal.aborted) await webgpu?.session.release();
      signal.throwIfAborted();
      const warmRunMs = webgpu ? comparison.webgpuMs! : comparison.wasmMs;
      const description = { ...model.description, comparison, backend: webgpu?.backend ?? 'wasm', warmRunMs };
      await this.#keepDecision(description);
      const decided: LoadedModel = webgpu
        ? {
            ...model,
            description,
            session: this.#onGpu(webgpu.session, reopen, description),
            loadNumber: ++this.#loadCount,
          }
        : { ...model, description };
      this.#models.set(description.modelId, decided);
      return { model: decided, retire: async () => (webgpu ? model.session.release() : undefined) };
    });
  }

  /** Resolves to null, with nothing left open, if the model is unloaded during its trial. */
  async #whileLoaded(
    { description: { modelId } }: LoadedModel,
    trial: (signal: AbortSignal) => Promise<Decision>,
  ): Promise<Decision | null> {
    const abort = new AbortController();
    this.#trying.set(modelId, abort);
    try {
      return await trial(abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return null;
      throw error;
    } finally {
      if (this.#trying.get(modelId) === abort) this.#trying.delete(modelId);
    }
  }

  /** Stores the result only if both backends were measured: a GPU that failed may work another day. */
  async #keepDecision({ sha256, backend, comparison }: ModelDescription): Promise<void> {
    if (backend === 'live' || !comparison) return;
    const { wasmMs, webgpuMs, largestDifference } = comparison;
    if (webgpuMs === null || largestDifference === null) return;
    const { adapter } = (await this.#ports.runtime.capabilities()).webgpu;
    const { decisions, runtimeVersion: runtime } = this.#ports;
    await decisions.keep({ sha256, adapter, runtime, backend, wasmMs, webgpuMs, largestDifference });
  }

  /** The app's own models are part of the app and need no copy. */
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
      if (!(error instanceof BrowserStoreError)) throw error;
      return { stored: false, storedReason: `${error.message} It stays in memory until the page is closed.` };
    }
  }

  /** The file of a model: as this browser keeps it, else from where it was opened. */
  readAgain(source: ModelSource, sha256: string): Promise<ModelFile> {
    const read = (from: ModelSource) =>
      readModelSource(from, this.#ports, () => undefined, new AbortController().signal);
    return source.kind === 'builtin' ? read(source) : read({ kind: 'stored', sha256 }).catch(() => read(source));
  }
}

function sizeNotes({ inputs }: ModelSummary, { taken, refused }: OpenedModel['opened']): readonly string[] {
  const [first] = inputs;
  return refused && taken && first ? [sizeNote(first.name, isChannelsFirst(first.shape), refused, taken)] : [];
}
