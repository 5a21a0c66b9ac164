import type { VisionClient } from '../../../workers/vision/client/vision-client.ts';
import type { BackendChoice, LoadProgress, ModelDescription } from '../../../workers/vision/protocol.ts';
import { opensByName } from '../../ports/model-file-name.ts';
import type { ModelSource } from '../../ports/model-source.ts';
import type { StoredModel } from '../../ports/model-store.ts';
import { recall, remember, type MemoryPort } from '../view/remembered.ts';

export interface Loading {
  readonly name: string;
  readonly serviceName: string;
  readonly progress: LoadProgress | null;
}

export interface LoadFault {
  readonly name: string;
  readonly message: string;
}

type FileSource = Extract<ModelSource, { kind: 'file' }>;

const FIRST_MODEL: ModelSource = { kind: 'builtin', id: 'face-detector' };

/** Loaded models, and which vision service runs which. */
export class ModelsState {
  readonly #client: VisionClient;
  readonly #memory: MemoryPort;
  #loaded = $state.raw<Readonly<Record<string, ModelDescription>>>({});
  #assigned = $state.raw<Readonly<Record<string, string>>>({});
  #loading = $state.raw<Loading | null>(null);
  #fault = $state.raw<LoadFault | null>(null);
  #stored = $state.raw<readonly StoredModel[]>([]);
  #backend = $state.raw<BackendChoice>('auto');
  #abort: AbortController | null = null;
  /** the file that failed last because its weights lie in another one */
  #lacking: FileSource | null = null;
  #sourceOf = $state.raw<Readonly<Record<string, ModelSource>>>({});

  /** A service runs another model because someone chose it; not for the one that comes back from the last visit. */
  onLoaded: (serviceName: string) => void = () => {};

  constructor(client: VisionClient, memory: MemoryPort) {
    this.#client = client;
    this.#memory = memory;
    client.onBackendDecided((model) => {
      if (this.#loaded[model.modelId]) this.#loaded = { ...this.#loaded, [model.modelId]: model };
    });
    client.onModelLost(({ modelId, fileName }) => this.#lose(modelId, fileName));
    const backend = recall(memory, 'backend');
    if (backend === 'wasm' || backend === 'webgpu') this.#backend = backend;
  }

  get loading(): Loading | null {
    return this.#loading;
  }
  get fault(): LoadFault | null {
    return this.#fault;
  }
  get stored(): readonly StoredModel[] {
    return this.#stored;
  }
  get backend(): BackendChoice {
    return this.#backend;
  }

  /** The model that a vision service runs, null = none yet. */
  of(serviceName: string | null): ModelDescription | null {
    return this.#loaded[this.#assigned[serviceName ?? ''] ?? ''] ?? null;
  }

  isBuiltin(model: ModelDescription): boolean {
    return this.#sourceOf[model.modelId]?.kind === 'builtin';
  }

  /** Where a model in memory was loaded from. */
  sourceOf(modelId: string): ModelSource | null {
    return this.#sourceOf[modelId] ?? null;
  }

  /** Model ids by vision service name. */
  get assigned(): Readonly<Record<string, string>> {
    return this.#assigned;
  }

  /** Models that are in memory, whichever service runs them. */
  get inMemory(): readonly ModelDescription[] {
    return Object.values(this.#loaded);
  }

  dismissFault(): void {
    this.#fault = null;
  }

  /** The model of the last visit, else the built-in detector. */
  async loadFirst(serviceName: string): Promise<void> {
    const sha256 = recall(this.#memory, 'model');
    this.#loading = { name: 'the model', serviceName, progress: null };
    const listing = this.listStored();
    if (typeof sha256 === 'string') {
      await listing;
      if (this.#stored.some((model) => model.sha256 === sha256))
        await this.#load({ kind: 'stored', sha256 }, serviceName);
      if (this.of(serviceName)) return;
    }
    await this.#load(FIRST_MODEL, serviceName);
  }

  /** Loads a model for a service; the one that it ran before leaves memory unless another service runs it too. */
  async load(source: ModelSource, serviceName: string): Promise<void> {
    await this.#load(this.#completed(source), serviceName, () => this.onLoaded(serviceName));
  }

  /** As `load`, with `onLoaded` in place of what is usually written for a model. */
  async swap(source: ModelSource, serviceName: string, onLoaded?: () => void): Promise<void> {
    await this.#load(source, serviceName, onLoaded);
  }

  async #load(source: ModelSource, serviceName: string, onLoaded = () => {}): Promise<void> {
    this.cancel();
    const abort = new AbortController();
    this.#abort = abort;
    const name = this.#nameOf(source);
    this.#fault = null;
    this.#loading = { name, serviceName, progress: null };
    try {
      const model = await this.#client.loadModel(source, {
        backend: this.#backend,
        signal: abort.signal,
        onProgress: (progress) => {
          if (this.#abort === abort) this.#loading = { name, serviceName, progress };
        },
      });
      if (this.#abort !== abort) return;
      this.#sourceOf = { ...this.#sourceOf, [model.modelId]: source };
      this.#loaded = { ...this.#loaded, [model.modelId]: model };
      const assigned = this.#assign(serviceName, model.modelId);
      onLoaded(); // in the same task: no frame runs between the model and what is written for it
      await assigned;
      remember(this.#memory, 'model', source.kind === 'builtin' ? null : model.sha256);
      await this.listStored();
    } catch (error) {
      if (!abort.signal.aborted) this.#fault = { name, message: messageOf(error) };
      if (codeOf(error) === 'external-data-missing' && source.kind === 'file') this.#lacking = source;
    } finally {
      if (this.#abort === abort) {
        this.#abort = null;
        this.#loading = null;
      }
    }
  }

  /** Weights that come after their model are for it. */
  #completed(source: ModelSource): ModelSource {
    const lacking = this.#lacking;
    this.#lacking = null;
    if (source.kind !== 'file' || !lacking || opensByName(source.file.name)) return source;
    return { ...lacking, beside: [...(lacking.beside ?? []), source.file, ...(source.beside ?? [])] };
  }

  cancel(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#loading = null;
  }

  /** Lets a service run a model that is in memory already. */
  async share(serviceName: string, modelId: string): Promise<void> {
    const assigned = this.#assign(serviceName, modelId);
    this.onLoaded(serviceName);
    await assigned;
  }

  /**
   * Moves the model of a service that is gone from the configuration to one that has none: a service that is
   * renamed, or a configuration that is imported, keeps running what is on the bench.
   */
  adopt(serviceName: string, present: readonly string[]): void {
    if (this.#assigned[serviceName]) return;
    const orphan = Object.keys(this.#assigned).find((name) => name !== serviceName && !present.includes(name));
    if (orphan === undefined) return;
    this.#assigned = renamed(this.#assigned, orphan, serviceName);
  }

  async unload(serviceName: string): Promise<void> {
    await this.#assign(serviceName, null);
  }

  /** Moves the tuned model to another backend by loading it again. */
  async chooseBackend(backend: BackendChoice, serviceName: string | null): Promise<void> {
    this.#backend = backend;
    remember(this.#memory, 'backend', backend);
    const model = this.of(serviceName);
    const source = model && this.#sourceOf[model.modelId];
    if (!model || !source || serviceName === null) return;
    await this.unload(serviceName);
    await this.#load(source, serviceName);
  }

  async listStored(): Promise<void> {
    // Storage may be forbidden (private windows); models then live in memory, which each description says.
    this.#stored = await this.#client.storedModels().catch(() => []);
  }

  async forget(sha256: string): Promise<void> {
    await this.#client.forgetModel(sha256);
    await this.listStored();
  }

  #lose(modelId: string, fileName: string): void {
    this.#loaded = Object.fromEntries(Object.entries(this.#loaded).filter(([id]) => id !== modelId));
    this.#assigned = Object.fromEntries(Object.entries(this.#assigned).filter(([, id]) => id !== modelId));
    this.#fault = {
      name: fileName,
      message: 'It did not come back when the workers were started again. Load it once more.',
    };
  }

  async #assign(serviceName: string, modelId: string | null): Promise<void> {
    const before = this.#assigned[serviceName];
    const others = Object.fromEntries(Object.entries(this.#assigned).filter(([service]) => service !== serviceName));
    this.#assigned = modelId ? { ...others, [serviceName]: modelId } : others;
    if (!before || Object.values(this.#assigned).includes(before)) return;
    this.#loaded = Object.fromEntries(Object.entries(this.#loaded).filter(([id]) => id !== before));
    await this.#client.unloadModel(before);
  }

  #nameOf(source: ModelSource): string {
    switch (source.kind) {
      case 'file':
        return source.file.name;
      case 'url':
        return source.url.split('/').at(-1) || source.url;
      case 'builtin':
        return BUILTIN_NAMES[source.id];
      case 'stored':
        return this.#stored.find(({ sha256 }) => sha256 === source.sha256)?.fileName ?? 'stored model';
    }
  }
}

export const BUILTIN_NAMES = {
  'face-detector': 'BlazeFace detector',
  'face-classifier': 'Face or no face',
} as const;

/** The record with one key renamed; unchanged where the key is missing. */
function renamed<T>(record: Readonly<Record<string, T>>, from: string, to: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
