import { InferenceError, type InferenceErrorCode } from '../../../src/machine/vision/face/errors.ts';
import type { FrameIntake, InferenceSession } from '../../../src/machine/vision/face/inference.ts';
import type { Tensor, TensorInfo } from '../../../src/machine/vision/face/feeding.ts';
import { GpuRetries } from './gpu-retries.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** Errors that a model, a frame or a driver may cause: a run on the CPU tells which. */
const doubtful: ReadonlySet<unknown> = new Set<InferenceErrorCode>(['out-of-memory', 'runtime']);

/**
 * A GPU session with a fallback: when the device is lost, or fails at a frame that the CPU can run, the model is
 * opened on the CPU and the frame runs there.
 */
export class FallbackSession implements InferenceSession {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly #openAgain: () => Promise<InferenceSession>;
  readonly #onLeft: (reason: string) => void;
  /** null: the device is lost */
  #onGpu: InferenceSession | null;
  #elsewhere: Promise<InferenceSession> | null = null;
  #isReleased = false;
  readonly #retries: GpuRetries;

  /**
   * Takes ownership of the session. `onLeft` is called with the reason when the model leaves a GPU that still
   * works.
   */
  constructor(
    session: InferenceSession,
    openAgain: () => Promise<InferenceSession>,
    nowMs: () => number,
    onLeft: (reason: string) => void = () => undefined,
  ) {
    this.inputs = session.inputs;
    this.outputs = session.outputs;
    this.#onGpu = session;
    this.#openAgain = openAgain;
    this.#onLeft = onLeft;
    this.#retries = new GpuRetries(nowMs);
  }

  /**
   * null: the device is lost; a frame that loses it rejects and is run again as a tensor. After a frame that failed
   * in another way, this refuses frames for a while.
   */
  get gpu(): FrameIntake | null {
    const onGpu = this.#onGpu;
    const intake = onGpu?.gpu;
    if (!intake) return null;
    const run: FrameIntake['run'] = async (frame, input, looks) => {
      const attempt = this.#retries.begin();
      try {
        const ran = await intake.run(frame, input, looks);
        attempt.succeeded();
        return ran;
      } catch (error) {
        attempt.failed((error as Error).message);
        if (this.#isLoss(error, onGpu)) void this.moveToCpu().catch(() => undefined); // the next run says why
        throw error;
      }
    };
    return { ...intake, refusal: intake.refusal || this.#retries.refusal, run };
  }

  async run(feeds: Tensors): Promise<Tensors> {
    if (this.#isReleased) throw new InferenceError('runtime', 'The model was unloaded.');
    const kept = copyOf(feeds); // what was fed may be overwritten before it is needed again
    const onGpu = this.#onGpu;
    try {
      if (onGpu) return await onGpu.run(feeds);
    } catch (error) {
      if (!this.#isLoss(error, onGpu)) return this.#runAfter(error, onGpu!, kept);
    }
    return (await this.moveToCpu()).run(kept);
  }

  /** The GPU failed: if the CPU runs the same frame, it takes over; otherwise the error was not the GPU's. */
  async #runAfter(error: unknown, onGpu: InferenceSession, feeds: Tensors): Promise<Tensors> {
    if (!(error instanceof InferenceError && doubtful.has(error.code))) throw error;
    const onCpu = await this.#openAgain();
    let results: Tensors;
    try {
      results = await onCpu.run(feeds);
    } catch {
      await onCpu.release();
      throw error;
    }
    if (this.#onGpu !== onGpu || this.#isReleased) {
      await onCpu.release(); // lost or unloaded meanwhile: that was seen to
      return results;
    }
    this.#onGpu = null;
    this.#elsewhere = Promise.resolve(onCpu);
    await onGpu.release().catch(() => undefined);
    this.#onLeft(error.message);
    return results;
  }

  #isLoss(error: unknown, onGpu: InferenceSession | null): boolean {
    return this.#onGpu !== onGpu || (error instanceof InferenceError && error.code === 'device-lost');
  }

  /** The device is lost, or computes wrongly: opens the model on the CPU now, once. */
  moveToCpu(): Promise<InferenceSession> {
    const dead = this.#onGpu;
    this.#onGpu = null;
    this.#elsewhere ??= Promise.resolve(dead?.release())
      .catch(() => undefined) // a dead session may refuse even that
      .then(() => this.#openAgain())
      .catch((error: unknown) => {
        this.#elsewhere = null; // the next run tries once more
        throw error;
      });
    this.#elsewhere.catch(() => undefined); // the next run says why
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
