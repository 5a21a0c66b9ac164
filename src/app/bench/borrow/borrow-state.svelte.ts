import type { FrameResult, ModelDescription } from '../../../../workers/vision/protocol.ts';
import { setModelService } from '../../../machine/config/face/edits.ts';
import { LinkError } from '../../../remote/live-machine/link-error.ts';
import type { LiveModelMetadata } from '../../../remote/live-machine/live-machine.ts';
import type { TensorTraffic } from '../../../platform/ports/inference-runtime.ts';
import { median } from '../../../models/profile/quantile.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import { fitKey } from '../models/fit-key.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';

const MEMORY_KEY = 'borrowed-model';
/** The median over this many calls follows changes of the network, but no single call. */
const CALLS_COUNTED = 50;

export interface BorrowDependencies {
  readonly machine: LiveMachineState;
  readonly models: ModelsState;
  readonly config: ConfigState;
  /** the tuned service; '': the configuration has none */
  readonly serviceName: () => string;
}

/** A model service of the connected machine. */
export interface ModelOffer {
  readonly name: string;
  /** null: it could not be read */
  readonly metadata: LiveModelMetadata | null;
  /** why it could not be read */
  readonly fault: string;
}

/** A model that a live machine has run for a service. */
export interface Borrowed {
  readonly url: string;
  readonly modelName: string;
}

export interface CallCost extends TensorTraffic {
  /** from sending the first tensor to receiving the last one */
  readonly medianMs: number;
  readonly calls: number;
}

/**
 * Models that a live machine runs for the bench. Tensors are sent there from the moment when a person has agreed,
 * until another model is chosen, the machine is disconnected or the page is closed: after a reload the person is
 * asked again.
 */
export class BorrowState {
  readonly #dependencies: BorrowDependencies;
  readonly #memory: MemoryPort;
  /** The machine's model services; null: not read yet. */
  offers = $state.raw<readonly ModelOffer[] | null>(null);
  /** The offer that waits for the person's consent. */
  asked = $state.raw<ModelOffer | null>(null);
  /** The model that a machine ran last, unless another model has replaced it. */
  before = $state.raw<Borrowed | null>(null);
  #calls = $state.raw<readonly { readonly ms: number; readonly traffic: TensorTraffic }[]>([]);
  #countedFor = '';

  constructor(dependencies: BorrowDependencies, memory: MemoryPort) {
    this.#dependencies = dependencies;
    this.#memory = memory;
    const before = recall(memory, MEMORY_KEY) as Partial<Borrowed> | null;
    if (typeof before?.url === 'string' && typeof before.modelName === 'string') {
      this.before = { url: before.url, modelName: before.modelName };
    }
  }

  /** The cost of the last calls; null: there were none. */
  readonly cost: CallCost | null = $derived.by(() => {
    const last = this.#calls.at(-1);
    return last
      ? { ...last.traffic, medianMs: median(this.#calls.map(({ ms }) => ms)), calls: this.#calls.length }
      : null;
  });

  /** The model service of the connected machine that runs the tuned service's model, where the bench has none; null: there is none. */
  readonly tunedThere: string | null = $derived.by(() => {
    const { machine, models, config, serviceName } = this.#dependencies;
    const service = serviceName();
    const wanted = config.runConfig.visionServices.find(({ name }) => name === service)?.mlModelName;
    return wanted && machine.modelServices.includes(wanted) && !models.of(service) ? wanted : null;
  });

  /** Reads the inputs and outputs of the connected machine's models. */
  async list(): Promise<void> {
    const { machine, modelServices } = this.#dependencies.machine;
    this.offers = null;
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
    if (machine === this.#dependencies.machine.machine) this.offers = offers;
  }

  /** Asks for consent: nothing is sent before `accept`. */
  ask(offer: ModelOffer): void {
    this.asked = offer;
  }

  /** Asks for consent to let the machine run the tuned service's model, where the bench has none and the machine has it. */
  async offerTuned(): Promise<void> {
    const { models } = this.#dependencies;
    const service = this.#dependencies.serviceName();
    const wanted = this.tunedThere;
    if (!wanted) return;
    await this.list();
    const offer = this.offers?.find(({ name, metadata }) => name === wanted && metadata);
    if (offer && !models.of(service)) this.ask(offer);
  }

  refuse(): void {
    this.asked = null;
  }

  async accept(): Promise<void> {
    const asked = this.asked;
    this.asked = null;
    if (asked) await this.#use(asked.name);
  }

  /** Connects again if necessary, and uses the same model of the machine again. */
  async again(): Promise<void> {
    const { machine, config } = this.#dependencies;
    const before = this.before;
    if (!before) return;
    if (machine.url !== before.url) {
      machine.address = before.url;
      await machine.connect(config.visionName);
    }
    if (machine.url === before.url) await this.#use(before.modelName);
  }

  async #use(modelName: string): Promise<void> {
    const { machine, models, config, serviceName } = this.#dependencies;
    const source = machine.modelSource(modelName);
    const service = serviceName();
    // The machine might otherwise run a model other than the one in the configuration.
    if (config.broken) return;
    if (!source || !(await models.load(source, service))) return;
    const model = models.of(service);
    if (!model || !config.visionNames.includes(service)) return;
    // One undo step, together with the tensor names that were written for it.
    config.edit(`Model service of ${service}`, (text) => setModelService(text, service, modelName), {
      coalesce: fitKey(model.modelId),
    });
  }

  /** Follows the model of the tuned service; if it has none, the last model is remembered. */
  follow(model: ModelDescription | null): void {
    if (!model) return;
    this.before = model.backend === 'live' ? { url: model.runsAt, modelName: model.fileName } : null;
    remember(this.#memory, MEMORY_KEY, this.before);
    if (this.#countedFor === model.modelId) return;
    this.#countedFor = model.modelId;
    this.#calls = [];
  }

  /** Adds the cost of a frame. */
  count({ traffic, timings }: FrameResult): void {
    if (traffic) this.#calls = [...this.#calls.slice(1 - CALLS_COUNTED), { ms: timings.inferenceMs, traffic }];
  }

  /** Unloads the models of a machine that was disconnected, and forgets its offers. */
  giveBack(url: string): void {
    const { models } = this.#dependencies;
    this.offers = null;
    this.asked = null;
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
