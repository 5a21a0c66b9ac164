import { InferenceError, type InferenceSession } from '../../../src/vision/inference/inference-session.ts';
import type { Tensor, TensorInfo } from '../../../src/vision/tensor.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** A session on a GPU that outlives it: when the device is lost it is opened again elsewhere, and the frame is run there. */
export class FallbackSession implements InferenceSession {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly #openAgain: () => Promise<InferenceSession>;
  /** null once the device is lost */
  #onGpu: InferenceSession | null;
  #elsewhere: Promise<InferenceSession> | null = null;
  #isReleased = false;

  /** Takes the session over. */
  constructor(session: InferenceSession, openAgain: () => Promise<InferenceSession>) {
    this.inputs = session.inputs;
    this.outputs = session.outputs;
    this.#onGpu = session;
    this.#openAgain = openAgain;
  }

  async run(feeds: Tensors): Promise<Tensors> {
    if (this.#isReleased) throw new InferenceError('runtime', 'The model was unloaded.');
    const kept = copyOf(feeds); // what was fed may be overwritten before it is needed again
    const onGpu = this.#onGpu;
    try {
      if (onGpu) return await onGpu.run(feeds);
    } catch (error) {
      const isLost = this.#onGpu !== onGpu || (error instanceof InferenceError && error.code === 'device-lost');
      if (!isLost) throw error;
    }
    return (await this.deviceLost()).run(kept);
  }

  /** The device is gone: leaves it now, once. */
  deviceLost(): Promise<InferenceSession> {
    const dead = this.#onGpu;
    this.#onGpu = null;
    this.#elsewhere ??= Promise.resolve(dead?.release())
      .catch(() => undefined) // a dead session may refuse even that
      .then(() => this.#openAgain());
    this.#elsewhere.catch(() => undefined); // the next run rejects with it
    return this.#elsewhere;
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const session = this.#onGpu ?? (await this.#elsewhere?.catch(() => null));
    await session?.release();
  }
}

function copyOf(feeds: Tensors): Tensors {
  return Object.fromEntries(
    Object.entries(feeds).map(([name, tensor]) => [name, { ...tensor, data: tensor.data.slice() }]),
  );
}
