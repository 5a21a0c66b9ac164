import type { FrameResult, ModelDescription } from '../../../../workers/vision/protocol.ts';
import { setModelService } from '../../../config/edit-config.ts';
import { LinkError } from '../../../live-machine/link-error.ts';
import type { LiveModelMetadata } from '../../../live-machine/live-machine.ts';
import type { TensorTraffic } from '../../../ports/inference-runtime.ts';
import { median } from '../../../profile/quantile.ts';
import { errorMessage } from '../../../vision/error-words.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import { fitKey } from '../models/tensor-names-state.svelte.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';

const MEMORY_KEY = 'borrowed-model';
/** A median over so many calls follows a network that changes, and no single call. */
const CALLS_COUNTED = 50;

export interface BorrowPlace {
  readonly machine: LiveMachineState;
  readonly models: ModelsState;
  readonly config: ConfigState;
  /** that is tuned; '' = the configuration has none */
  readonly serviceName: () => string;
}

/** A model service of the connected machine. */
export interface ModelOffer {
  readonly name: string;
  /** null where it could not be had */
  readonly metadata: LiveModelMetadata | null;
  /** why not */
  readonly fault: string;
}

/** A model that a service ran on a machine. */
export interface Borrowed {
  readonly url: string;
  readonly modelName: string;
}

export interface CallCost extends TensorTraffic {
  /** from the first tensor's departure to the last one's arrival */
  readonly medianMs: number;
  readonly calls: number;
}

/**
 * Models that a live machine runs for the bench. Frames' tensors go there from the moment at which a person has read that and
 * said yes, and until another model is chosen, the machine is left or the page is closed: a reload asks again.
 */
export class BorrowState {
  readonly #place: BorrowPlace;
  readonly #memory: MemoryPort;
  #offers = $state.raw<readonly ModelOffer[] | null>(null);
  #asked = $state.raw<ModelOffer | null>(null);
  #before = $state.raw<Borrowed | null>(null);
  #calls = $state.raw<readonly { readonly ms: number; readonly traffic: TensorTraffic }[]>([]);
  #countedFor = '';

  constructor(place: BorrowPlace, memory: MemoryPort) {
    this.#place = place;
    this.#memory = memory;
    const before = recall(memory, MEMORY_KEY) as Partial<Borrowed> | null;
    if (typeof before?.url === 'string' && typeof before.modelName === 'string') {
      this.#before = { url: before.url, modelName: before.modelName };
    }
  }

  /** The machine's model services; null = it was not asked yet. */
  get offers(): readonly ModelOffer[] | null {
    return this.#offers;
  }
  /** The offer that waits for a yes. */
  get asked(): ModelOffer | null {
    return this.#asked;
  }
  /** What ran last on a machine, where no other model took its place. */
  get before(): Borrowed | null {
    return this.#before;
  }

  /** What the last calls cost; null = there was none. */
  readonly cost: CallCost | null = $derived.by(() => {
    const last = this.#calls.at(-1);
    return last
      ? { ...last.traffic, medianMs: median(this.#calls.map(({ ms }) => ms)), calls: this.#calls.length }
      : null;
  });

  /** Asks the connected machine what its models take and give. */
  async list(): Promise<void> {
    const { machine, modelServices } = this.#place.machine;
    this.#offers = null;
    if (!machine) return;
    const { signal } = new AbortController();
    const offers = await Promise.all(
      modelServices.map((name) =>
        machine.modelMetadata(name, signal).then(
          (metadata): ModelOffer => ({ name, metadata, fault: '' }),
          (error: unknown): ModelOffer => ({ name, metadata: null, fault: wordsOf(error) }),
        ),
      ),
    );
    if (machine === this.#place.machine.machine) this.#offers = offers;
  }

  /** Nothing is sent before `accept`. */
  ask(offer: ModelOffer): void {
    this.#asked = offer;
  }

  refuse(): void {
    this.#asked = null;
  }

  async accept(): Promise<void> {
    const asked = this.#asked;
    this.#asked = null;
    if (asked) await this.#use(asked.name);
  }

  /** Connects again, if need be, and lets the machine run the model that it ran before. */
  async again(): Promise<void> {
    const { machine, config } = this.#place;
    const before = this.#before;
    if (!before) return;
    if (machine.url !== before.url) {
      machine.address = before.url;
      await machine.connect(config.visionName);
    }
    if (machine.url === before.url) await this.#use(before.modelName);
  }

  async #use(modelName: string): Promise<void> {
    const { machine, models, config, serviceName } = this.#place;
    const source = machine.modelSource(modelName);
    const service = serviceName();
    // The machine would run another model than the one that the configuration names.
    if (config.broken) return;
    if (!source || !(await models.load(source, service))) return;
    const model = models.of(service);
    if (!model || !config.visionNames.includes(service)) return;
    // One step of the history with the tensor names that were written for it.
    config.edit(`Model service of ${service}`, (text) => setModelService(text, service, modelName), {
      coalesce: fitKey(model.modelId),
    });
  }

  /** Follows which model the tuned service runs; of none the last one is remembered. */
  follow(model: ModelDescription | null): void {
    if (!model) return;
    this.#before = model.backend === 'live' ? { url: model.runsAt, modelName: model.fileName } : null;
    remember(this.#memory, MEMORY_KEY, this.#before);
    if (this.#countedFor === model.modelId) return;
    this.#countedFor = model.modelId;
    this.#calls = [];
  }

  /** Counts what a frame cost. */
  count({ traffic, timings }: FrameResult): void {
    if (traffic) this.#calls = [...this.#calls.slice(1 - CALLS_COUNTED), { ms: timings.inferenceMs, traffic }];
  }

  /** Unloads what a machine that was left lends, and forgets what it offered. */
  giveBack(url: string): void {
    const { models } = this.#place;
    this.#offers = null;
    this.#asked = null;
    for (const [service, modelId] of Object.entries(models.assigned)) {
      if (models.inMemory.some((model) => model.modelId === modelId && model.runsAt === url)) {
        void models.unload(service);
      }
    }
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof LinkError) return `${error.message} ${error.cure}`;
  return errorMessage(error);
}
