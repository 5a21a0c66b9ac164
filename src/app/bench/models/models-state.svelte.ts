import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { BackendChoice, LoadProgress, ModelDescription } from '../../../../workers/vision/protocol.ts';
import { opensByName } from '../../../platform/ports/model-file-name.ts';
import { hostOf } from '../../../remote/live-machine/host-of.ts';
import type { AnyModelSource, BuiltinModelId, ModelSource } from '../../../platform/ports/model-source.ts';
import type { StoredModel } from '../../../platform/ports/model-store.ts';
import { type DetailKind, detailKindOf } from '../../../machine/vision/face/results.ts';
import { errorCode, errorMessage } from '../../../machine/vision/face/errors.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import { isNamedBy, assignModels, takeFor, type ModelAssignments } from './assign-models.ts';

export interface Loading {
  readonly name: string;
  readonly serviceName: string;
  readonly progress: LoadProgress | null;
}

export interface LoadFault {
  readonly name: string;
  readonly message: string;
}

/** The work under way for a model. A later load and `cancel` break it off. */
type Phase =
  | { readonly kind: 'idle' }
  /** which model to begin with; `loading` is null once one of them failed */
  | { readonly kind: 'choosing-first'; readonly loading: Loading | null }
  | {
      readonly kind: 'loading';
      readonly loading: Loading;
      readonly abort: AbortController;
      /** the first model, which nobody chose */
      readonly isFirst: boolean;
      /** the backend that the model is being moved to; null: it is loaded for another reason */
      readonly movingTo: BackendChoice | null;
    };

const IDLE: Phase = { kind: 'idle' };

type FileSource = Extract<ModelSource, { kind: 'file' }>;

export interface BenchOfModels {
  /** The path from which the machine reads a service's model; '': the configuration does not say. */
  pathOf(service: string): string;
  /** Loads what the three below need, unless it is here (null); not awaited for the first model. */
  ready(): Promise<unknown> | null;
  /** Called before a service loses its model. */
  onLeaving(service: string): void;
  /** Called when someone chose another model for a service; not for a model restored from the last visit. */
  onLoaded(service: string): void;
  /** Called after a service got a model, and whatever was written for it. */
  onEntered(service: string): void;
  /** Applies the present models to the plan; frames that run before that use the former ones. */
  bringIntoForce(): Promise<void>;
}

/** The loaded models, and which vision service runs which. */
export class ModelsState {
  readonly #client: VisionClient;
  readonly #memory: MemoryPort;
  #loaded = $state.raw<Readonly<Record<string, ModelDescription>>>({});
  /** Model ids by vision service name. */
  assigned = $state.raw<Readonly<Record<string, string>>>({});
  #takenFor: ModelAssignments['takenFor'] = {};
  #phase = $state.raw<Phase>(IDLE);
  fault = $state.raw<LoadFault | null>(null);
  stored = $state.raw<readonly StoredModel[]>([]);
  /** The backend for models that will be loaded. */
  backend = $state.raw<BackendChoice>('auto');
  /** why the last move to another backend failed */
  #notMoved = $state.raw<{ readonly modelId: string; readonly reason: string } | null>(null);
  /** the latest load, until it ends */
  #underWay: Promise<boolean> | null = null;
  /** the last file that failed because its weights are in another file */
  #lacking: FileSource | null = null;
  #sourceOf = $state.raw<Readonly<Record<string, AnyModelSource>>>({});

  readonly #bench: BenchOfModels;

  constructor(client: VisionClient, memory: MemoryPort, bench: Partial<BenchOfModels> = {}) {
    this.#client = client;
    this.#memory = memory;
    const none = (): void => {};
    const done = (): Promise<void> => Promise.resolve();
    const hooks = { ready: () => null, onLeaving: none, onLoaded: none, onEntered: none, bringIntoForce: done };
    this.#bench = { pathOf: () => '', ...hooks, ...bench };
    client.onBackendDecided((model) => {
      if (this.#loaded[model.modelId]) this.#loaded = { ...this.#loaded, [model.modelId]: model };
    });
    client.onModelLost(({ modelId, fileName }) => this.#lose(modelId, fileName));
    const backend = recall(memory, 'backend');
    if (backend === 'wasm' || backend === 'webgpu') this.backend = backend;
  }

  get loading(): Loading | null {
    return this.#phase.kind === 'idle' ? null : this.#phase.loading;
  }

  /** The chosen backend of a model: the one it runs on, or is being moved to. */
  choiceFor({ backend }: ModelDescription): BackendChoice {
    if (this.#phase.kind === 'loading' && this.#phase.movingTo) return this.#phase.movingTo;
    return this.backend === 'webgpu' && backend === 'wasm' ? 'wasm' : this.backend;
  }

  /** Why a model does not run on the chosen backend, as a sentence; '': it does. */
  refusalOf({ modelId, gpuRefusal }: ModelDescription): string {
    if (this.#notMoved?.modelId === modelId) return this.#notMoved.reason;
    return gpuRefusal && `Not on WebGPU: ${gpuRefusal}`;
  }

  /** What the model of a service says of its detections beyond boxes; null: nothing. */
  detailKindOf(serviceName: string | null): DetailKind | null {
    return detailKindOf(this.of(serviceName)?.outputs ?? []);
  }

  /** The model of a vision service; null: none yet. */
  of(serviceName: string | null): ModelDescription | null {
    return this.#loaded[this.assigned[serviceName ?? ''] ?? ''] ?? null;
  }

  isBuiltin(model: ModelDescription): boolean {
    return this.#sourceOf[model.modelId]?.kind === 'builtin';
  }

  /** Where the bytes of a loaded model are; null: a live machine runs it. */
  sourceOf(modelId: string): ModelSource | null {
    const source = this.#sourceOf[modelId];
    return source && source.kind !== 'live' ? source : null;
  }

  /** A loaded model as a file; null: a live machine runs it. Throws where its bytes are no longer there. */
  async fileOf({ modelId }: ModelDescription): Promise<Blob | null> {
    const source = this.sourceOf(modelId);
    return source && this.#client.modelFile(source, modelId);
  }

  /** The loaded models, whichever services run them. */
  get inMemory(): readonly ModelDescription[] {
    return Object.values(this.#loaded);
  }

  /** Resolves when no model is being loaded: at once, or when the latest load has ended, well or not. */
  async settled(): Promise<void> {
    while (this.#underWay) await this.#underWay;
  }

  dismissFault(): void {
    this.fault = null;
  }

  /**
   * Loads the model of the last visit, otherwise the built-in one that the configuration names, as the example
   * does. Nothing if `model_path` names another: the user has to provide that. A load that is under way is awaited
   * first.
   */
  async loadFirst(serviceName: string): Promise<void> {
    while (this.#underWay) await this.#underWay; // not by a tick, where there is none
    if (this.of(serviceName)) return;
    this.#phase = { kind: 'choosing-first', loading: { name: 'the model', serviceName, progress: null } };
    await this.#bringUp(serviceName);
    if (this.#phase.kind === 'choosing-first') this.#phase = IDLE;
  }

  /** Whether the first model is still wanted: a person has neither chosen another one nor cancelled. */
  get #bringsUp(): boolean {
    return this.#phase.kind === 'choosing-first' || (this.#phase.kind === 'loading' && this.#phase.isFirst);
  }

  async #bringUp(serviceName: string): Promise<void> {
    const path = this.#bench.pathOf(serviceName);
    const builtin = builtinNamed(path);
    const [sha256, takenFor] = [recall(this.#memory, 'model'), recall(this.#memory, 'modelFor')];
    const wasTaken = takenFor === path || path === '';
    const listing = this.listStored();
    if (typeof sha256 === 'string') {
      await listing;
      if (!this.#bringsUp) return;
      const kept = this.stored.find((model) => model.sha256 === sha256);
      if (kept && (wasTaken || takenFor === null || isNamedBy(path, kept.fileName)))
        await this.#load({ kind: 'stored', sha256 }, serviceName, { isFirst: true });
      if (this.of(serviceName)) return;
    }
    if (!this.#bringsUp) return; // someone chose a model meanwhile, or wants none
    // A built-in one has no stored file; a path that means another file waits for it.
    if (builtin || path === '' || (wasTaken && typeof sha256 !== 'string'))
      await this.#load({ kind: 'builtin', id: builtin ?? 'face-detector' }, serviceName, { isFirst: true });
  }

  /**
   * Loads a model for a service; its former model is unloaded unless another service runs it too. Resolves to
   * whether the service runs it, from the next frame on.
   */
  async load(source: AnyModelSource, serviceName: string): Promise<boolean> {
    const options = { onLoaded: () => this.#bench.onLoaded(serviceName) };
    const isLoaded = await this.#load(this.#completed(source), serviceName, options);
    if (isLoaded) await this.#bench.bringIntoForce();
    return isLoaded;
  }

  /**
   * Like `load`, but calls `onLoaded` instead of writing the settings of a new model. Without it the configuration is that of
   * this model already, as after undo.
   */
  async swap(source: ModelSource, serviceName: string, onLoaded?: () => void): Promise<void> {
    await this.#load(source, serviceName, onLoaded && { onLoaded });
  }

  async #load(source: AnyModelSource, serviceName: string, options: LoadingOptions = {}): Promise<boolean> {
    const loading = this.#loadNow(source, serviceName, options);
    this.#underWay = loading;
    const isLoaded = await loading;
    if (this.#underWay === loading) this.#underWay = null;
    return isLoaded;
  }

  /** Never rejects: an error becomes the fault. */
  async #loadNow(source: AnyModelSource, serviceName: string, options: LoadingOptions): Promise<boolean> {
    const fail = (name: string, message: string): void => void (this.fault = { name, message });
    const { backend = this.backend, isFirst = false, onLoaded, onFailed = fail } = options;
    this.#abortLoad();
    const abort = new AbortController();
    const name = this.#nameOf(source);
    this.fault = null;
    this.#notMoved = null;
    const show = (progress: LoadProgress | null): void => {
      const loading = { name, serviceName, progress };
      this.#phase = { kind: 'loading', loading, abort, isFirst, movingTo: options.backend ?? null };
    };
    const isCurrent = (): boolean => this.#phase.kind === 'loading' && this.#phase.abort === abort;
    show(null);
    try {
      const ready = isFirst ? null : this.#bench.ready();
      if (ready) await ready;
      const before = options.before?.();
      if (before) await before;
      abort.signal.throwIfAborted();
      const model = await this.#client.loadModel(source, {
        backend,
        signal: abort.signal,
        onProgress: (progress) => {
          if (isCurrent()) show(progress);
        },
      });
      if (!isCurrent()) return false;
      this.#sourceOf = { ...this.#sourceOf, [model.modelId]: source };
      this.#loaded = { ...this.#loaded, [model.modelId]: model };
      this.#bench.onLeaving(serviceName);
      const assigned = this.#assign(serviceName, model.modelId);
      onLoaded?.(); // in the same task: no frame runs between the model and what is written for it
      this.#bench.onEntered(serviceName);
      this.#take(serviceName, model.modelId);
      await assigned;
      await this.listStored();
      return true;
    } catch (error) {
      if (!abort.signal.aborted) onFailed(name, errorMessage(error));
      if (errorCode(error) === 'external-data-missing' && source.kind === 'file') this.#lacking = source;
      return false;
    } finally {
      if (isCurrent()) this.#phase = isFirst ? { kind: 'choosing-first', loading: null } : IDLE;
    }
  }

  /** Weights that are given after their model complete it. */
  #completed(source: AnyModelSource): AnyModelSource {
    const lacking = this.#lacking;
    this.#lacking = null;
    if (source.kind !== 'file' || !lacking || opensByName(source.file.name)) return source;
    return { ...lacking, beside: [...(lacking.beside ?? []), source.file, ...(source.beside ?? [])] };
  }

  cancel(): void {
    this.#abortLoad();
    this.#phase = IDLE;
  }

  #abortLoad(): void {
    if (this.#phase.kind === 'loading') this.#phase.abort.abort();
  }

  /** Lets a service run a model that is loaded already. */
  async share(serviceName: string, modelId: string): Promise<void> {
    await this.#bench.ready();
    this.#bench.onLeaving(serviceName);
    const assigned = this.#assign(serviceName, modelId);
    this.#bench.onLoaded(serviceName);
    this.#bench.onEntered(serviceName);
    this.#take(serviceName, modelId);
    await assigned;
  }

  /** A person chose this model for a service: on the next visit, the service's path means this model too. */
  #take(serviceName: string, modelId: string): void {
    const path = this.#bench.pathOf(serviceName);
    this.#takenFor = takeFor(this.#takenFor, modelId, path);
    const isKept = !['builtin', 'live'].includes(this.#sourceOf[modelId]?.kind ?? '');
    remember(this.#memory, 'model', isKept ? modelId : null);
    remember(this.#memory, 'modelFor', path);
  }

  /**
   * Assigns the loaded models again after the configuration changed; `isOther`: it is another configuration, not an
   * edit.
   */
  reassign(tuned: string, services: readonly string[], isOther: boolean): void {
    const wanted = services.map((service) => ({ service, path: this.#bench.pathOf(service) }));
    const assignments = { assigned: this.assigned, takenFor: this.#takenFor };
    const { assigned, takenFor } = assignModels({ assignments, inMemory: this.inMemory, wanted, tuned, isOther });
    this.#takenFor = takenFor;
    if (JSON.stringify(assigned) !== JSON.stringify(this.assigned)) this.assigned = assigned;
    if (!isOther) return;
    if (this.#bringsUp) this.cancel(); // the first model is not for this configuration
    const builtin = builtinNamed(this.#bench.pathOf(tuned));
    if (builtin && !assigned[tuned]) void this.#load({ kind: 'builtin', id: builtin }, tuned);
  }

  async unload(serviceName: string): Promise<void> {
    this.#bench.onLeaving(serviceName);
    await this.#assign(serviceName, null);
  }

  /**
   * Moves the tuned model to another backend by loading it there. It runs on the old one until then; if that fails,
   * the choice stays as it was, and `refusalOf` says why. Resolves to whether it moved.
   */
  async chooseBackend(backend: BackendChoice, serviceName: string | null): Promise<boolean> {
    const model = this.of(serviceName);
    const source = model && this.#sourceOf[model.modelId];
    if (!model || !source || serviceName === null) {
      this.#keepChoice(backend);
      return false;
    }
    const { modelId } = model;
    const stay = (reason: string): void => void (this.#notMoved = { modelId, reason });
    const isOpen = await this.#load(source, serviceName, {
      backend,
      // Who asks for a GPU wants it tried, whatever was decided before.
      before: () => (backend === 'wasm' ? null : this.#client.forgetDecision(modelId).catch(() => undefined)),
      onFailed: (_, message) => stay(`Not on ${CHOICE_NAMES[backend]}: ${message}`),
    });
    const hasMoved = isOpen && this.of(serviceName)?.gpuRefusal === '';
    if (hasMoved) this.#keepChoice(backend);
    return hasMoved;
  }

  #keepChoice(backend: BackendChoice): void {
    this.backend = backend;
    remember(this.#memory, 'backend', backend);
  }

  async listStored(): Promise<void> {
    // Storage may be forbidden (private windows); models are then kept in memory, which their descriptions say.
    this.stored = await this.#client.storedModels().catch(() => []);
  }

  async forget(sha256: string): Promise<void> {
    await this.#client.forgetModel(sha256);
    await this.listStored();
  }

  #lose(modelId: string, fileName: string): void {
    this.#loaded = Object.fromEntries(Object.entries(this.#loaded).filter(([id]) => id !== modelId));
    this.assigned = Object.fromEntries(Object.entries(this.assigned).filter(([, id]) => id !== modelId));
    this.fault = { name: fileName, message: 'It was lost when the workers restarted. Load it again.' };
  }

  async #assign(serviceName: string, modelId: string | null): Promise<void> {
    const others = Object.fromEntries(Object.entries(this.assigned).filter(([service]) => service !== serviceName));
    this.assigned = modelId ? { ...others, [serviceName]: modelId } : others;
    const used = Object.values(this.assigned);
    const unused = Object.keys(this.#loaded).filter((id) => !used.includes(id));
    this.#loaded = Object.fromEntries(Object.entries(this.#loaded).filter(([id]) => used.includes(id)));
    await Promise.all(unused.map((id) => this.#client.unloadModel(id)));
  }

  #nameOf(source: AnyModelSource): string {
    switch (source.kind) {
      case 'live':
        return `${source.modelName} on ${hostOf(source.url)}`;
      case 'file':
        return source.file.name;
      case 'url':
        return source.url.split('/').at(-1) || source.url;
      case 'builtin':
        return BUILTIN_NAMES[source.id];
      case 'stored':
        return this.stored.find(({ sha256 }) => sha256 === source.sha256)?.fileName ?? 'stored model';
    }
  }
}

interface LoadingOptions {
  /** default: the backend for models that will be loaded */
  readonly backend?: BackendChoice;
  /** nobody chose it: a choice meanwhile, or another configuration, makes it unwanted */
  readonly isFirst?: boolean;
  /** awaited before the model is loaded; null: there is nothing to wait for */
  readonly before?: () => Promise<unknown> | null;
  /** called in the same task in which the service starts to run the model */
  readonly onLoaded?: () => void;
  /** default: the error is the fault that the panel shows */
  readonly onFailed?: (name: string, message: string) => void;
}

const CHOICE_NAMES = { auto: 'the CPU or WebGPU', wasm: 'WASM', webgpu: 'WebGPU' } as const satisfies Record<
  BackendChoice,
  string
>;

export const BUILTIN_NAMES = {
  'face-detector': 'BlazeFace detector',
  'face-classifier': 'Face or no face',
  'object-detector': 'NanoDet detector',
} as const satisfies Record<BuiltinModelId, string>;

/** The built-in model whose file a path names. */
function builtinNamed(path: string): keyof typeof BUILTIN_NAMES | undefined {
  const ids = Object.keys(BUILTIN_NAMES) as (keyof typeof BUILTIN_NAMES)[];
  return ids.find((id) => isNamedBy(path, `${id}.onnx`));
}
