import { InferenceError, type InferenceSession } from '../vision/inference/inference-session.ts';
import type { Tensor, TensorInfo } from '../vision/tensor.ts';

/** A session that outlives its GPU: when the device is lost it is opened again elsewhere, and the frame is run there. */
export class FallbackSession implements InferenceSession {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly #openAgain: () => Promise<InferenceSession>;
  #session: Promise<InferenceSession>;
  #isLost = false;
  #isReleased = false;

  /** Takes the session over. */
  constructor(session: InferenceSession, openAgain: () => Promise<InferenceSession>) {
    this.inputs = session.inputs;
    this.outputs = session.outputs;
    this.#session = Promise.resolve(session);
    this.#openAgain = openAgain;
  }

  async run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>> {
    if (this.#isReleased) throw new InferenceError('runtime', 'The model was unloaded.');
    try {
      return await (await this.#session).run(feeds);
    } catch (error) {
      const isLost = this.#isLost || (error instanceof InferenceError && error.code === 'device-lost');
      if (!isLost) throw error;
      this.deviceLost();
      return (await this.#session).run(feeds);
    }
  }

  /** The device is gone: leaves it now, once. */
  deviceLost(): void {
    if (this.#isLost || this.#isReleased) return;
    this.#isLost = true;
    this.#session = this.#session.then(async (dead) => {
      await dead.release().catch(() => undefined); // a dead session may refuse even that
      return this.#openAgain();
    });
    this.#session.catch(() => undefined); // the next run rejects with it
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.#session.then((session) => session.release()).catch(() => undefined);
  }
}
