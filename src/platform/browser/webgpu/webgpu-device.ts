import { WebGpuError } from './webgpu-error.ts';

/** Half floats and subgroups make models faster; frames need none of them. */
const wantedFeatures: readonly GPUFeatureName[] = ['shader-f16', 'subgroups', 'timestamp-query'];
const wantedLimits = [
  'maxBindGroups',
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
] as const;

const noAdapter = 'WebGPU finds no adapter: no GPU, or one whose driver is blocked. The CPU does the same work.';

const refusals = ['validation', 'out-of-memory', 'internal'] as const;

/** A GPU device with all that its adapter can do. Frames and models share one. */
export class WebGpuDevice {
  readonly device: GPUDevice;
  /** Rejects with device-lost when the device goes away; never resolves. */
  readonly lost: Promise<never>;
  #isLost = false;
  #lastOrders: Promise<unknown> = Promise.resolve();

  private constructor(device: GPUDevice) {
    this.device = device;
    this.lost = device.lost.then(({ reason, message }) => {
      this.#isLost = true;
      throw new WebGpuError(
        'device-lost',
        `The GPU device is gone (${reason}${message && `: ${message}`}). Open it again, or go on on the CPU.`,
      );
    });
    this.lost.catch(() => {}); // whoever works on it hears of it
  }

  /** @throws WebGpuError unavailable */
  static async open(gpu: GPU | undefined = globalThis.navigator?.gpu): Promise<WebGpuDevice> {
    if (!gpu) {
      throw new WebGpuError(
        'unavailable',
        'This browser has no WebGPU (or the page is not secure). The CPU does the same work.',
      );
    }
    let refusal = noAdapter;
    let cause: unknown;
    // A computer may have a fast GPU that is switched off, or blocked, beside one that works.
    for (const wanted of [{ powerPreference: 'high-performance' } as const, {}]) {
      const adapter = await gpu.requestAdapter(wanted);
      if (!adapter) continue;
      const requiredFeatures = wantedFeatures.filter((feature) => adapter.features.has(feature));
      const requiredLimits = Object.fromEntries(wantedLimits.map((limit) => [limit, adapter.limits[limit]]));
      try {
        return new WebGpuDevice(await adapter.requestDevice({ label: 'sightglass', requiredFeatures, requiredLimits }));
      } catch (error) {
        refusal = 'The GPU adapter gives no device. The CPU does the same work.';
        cause = error;
      }
    }
    throw new WebGpuError('unavailable', refusal, { cause });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Waits for the device's answer; rejects when the device goes away first. @throws WebGpuError device-lost */
  answer<T>(asked: Promise<T>): Promise<T> {
    return Promise.race([asked, this.lost]);
  }

  /**
   * Hands orders to the GPU after those that were handed before, and waits for its answer; the next may be handed meanwhile. What
   * the GPU refuses is said in place of an answer. `give` is waited for even when the device goes away: ONNX Runtime must not be
   * called while it is at work. @throws WebGpuError device-lost, out-of-memory, runtime; what `give` throws
   */
  async order<T>(give: () => Promise<{ readonly answer: Promise<T> }>): Promise<T> {
    const given = this.#lastOrders.then(() => this.#give(give));
    this.#lastOrders = given.catch(() => {});
    const { answer, accepted } = await given;
    const [answered] = await Promise.all([answer, accepted]);
    return answered;
  }

  /** Has something of the device's freed after the orders before; at once where the device is lost. */
  async free(release: () => Promise<void>): Promise<void> {
    if (this.#isLost) await release();
    else await this.order(async () => ({ answer: Promise.resolve(await release()) }));
  }

  async #give<T>(give: () => Promise<{ readonly answer: Promise<T> }>) {
    if (this.#isLost) await this.lost;
    for (const filter of refusals) this.device.pushErrorScope(filter);
    let answer: Promise<T> | undefined;
    let accepted: Promise<void>;
    try {
      ({ answer } = await give());
    } finally {
      accepted = this.#popRefusals();
      for (const said of [answer, accepted]) said?.catch(() => {}); // the first that fails is enough
    }
    return { answer, accepted };
  }

  async #popRefusals(): Promise<void> {
    const popped = refusals.map(() => this.device.popErrorScope());
    const error = (await this.answer(Promise.all(popped))).find((found) => found !== null);
    if (!error) return;
    const isFull = error instanceof GPUOutOfMemoryError;
    throw new WebGpuError(isFull ? 'out-of-memory' : 'runtime', `The GPU refused the work: ${error.message}`);
  }

  /** Frees the device and all its memory; what is on its way rejects with device-lost. */
  close(): void {
    this.device.destroy();
  }
}
