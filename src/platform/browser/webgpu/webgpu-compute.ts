import { WebGpuError } from './webgpu-error.ts';

/** One compute pass. Binding 0 is `params`, 1 the result, 2 what the pass before left (or `source`), 3 and on the `tables`. */
export interface ComputePass {
  readonly shader: string;
  readonly entryPoint: string;
  /** 32-bit integers, as the shader's Params has them */
  readonly params: readonly number[];
  /** one that is the same object as in the last run is not written again */
  readonly tables?: readonly Int32Array<ArrayBuffer>[];
  readonly resultWords: number;
  /** invocations wanted; the shader leaves out those beyond */
  readonly columns: number;
  readonly rows: number;
}

interface Slot {
  buffer: GPUBuffer;
  /** what was written last */
  content?: ArrayBufferView;
}

const workgroupSide = 16;
const storage = 0x80; // GPUBufferUsage.STORAGE, a global that is missing where there is no WebGPU

/**
 * A GPU device that runs compute passes over frames. Pipelines and buffers are kept for the next frame; buffers grow to the largest.
 * Runs queue up behind each other.
 */
export class WebGpuCompute {
  readonly #device: GPUDevice;
  readonly #lost: Promise<never>;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();
  readonly #slots = new Map<string, Slot>();
  #lastRun: Promise<unknown> = Promise.resolve();

  private constructor(device: GPUDevice) {
    this.#device = device;
    this.#lost = device.lost.then(({ reason, message }) => {
      throw new WebGpuError(
        'device-lost',
        `The GPU device is gone (${reason}${message && `: ${message}`}). Open it again, or go on on the CPU.`,
      );
    });
    this.#lost.catch(() => {}); // whoever runs a pass hears of it
  }

  /** @throws WebGpuError unavailable */
  static async open(gpu: GPU | undefined = globalThis.navigator?.gpu): Promise<WebGpuCompute> {
    if (!gpu) {
      throw new WebGpuError(
        'unavailable',
        'This browser has no WebGPU (or the page is not secure). The CPU does the same work.',
      );
    }
    const adapter = await gpu.requestAdapter();
    if (!adapter) {
      throw new WebGpuError(
        'unavailable',
        'WebGPU finds no adapter: no GPU, or one whose driver is blocked. The CPU does the same work.',
      );
    }
    const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
    try {
      const requiredLimits = { maxBufferSize, maxStorageBufferBindingSize };
      return new WebGpuCompute(await adapter.requestDevice({ label: 'frames', requiredLimits }));
    } catch (cause) {
      throw new WebGpuError('unavailable', 'The GPU adapter gives no device. The CPU does the same work.', { cause });
    }
  }

  /** Rejects with device-lost when the device goes away; never resolves. */
  get lost(): Promise<never> {
    return this.#lost;
  }

  /**
   * Runs the passes on the source and reads the last result back; the caller owns it. The source may be reused once this returns.
   * @throws WebGpuError device-lost, too-large, runtime
   */
  run(source: ArrayBufferView<ArrayBuffer>, passes: readonly ComputePass[]): Promise<ArrayBuffer> {
    const run = this.#lastRun.then(() => Promise.race([this.#runNow(source, passes), this.#lost]));
    this.#lastRun = run.catch(() => {});
    return run;
  }

  /** Frees the device and all its memory; runs on their way reject with device-lost. */
  close(): void {
    this.#device.destroy();
  }

  async #runNow(source: ArrayBufferView<ArrayBuffer>, passes: readonly ComputePass[]): Promise<ArrayBuffer> {
    const pipelines = await Promise.all(passes.map((pass) => this.#pipeline(pass)));
    const device = this.#device;
    device.pushErrorScope('validation');
    device.pushErrorScope('out-of-memory');
    let readBack: GPUBuffer;
    let errors: Promise<(GPUError | null)[]>;
    try {
      readBack = this.#submit(source, passes, pipelines);
    } finally {
      errors = Promise.all([device.popErrorScope(), device.popErrorScope()]);
    }
    const error = (await errors).find((found) => found !== null);
    if (error) throw new WebGpuError('runtime', `The GPU refused the work: ${error.message}`);
    const byteLength = 4 * passes.at(-1)!.resultWords;
    await readBack.mapAsync(GPUMapMode.READ, 0, byteLength);
    const copy = readBack.getMappedRange(0, byteLength).slice(0);
    readBack.unmap();
    return copy;
  }

  #submit(
    source: ArrayBufferView<ArrayBuffer>,
    passes: readonly ComputePass[],
    pipelines: readonly GPUComputePipeline[],
  ): GPUBuffer {
    const encoder = this.#device.createCommandEncoder();
    let input = this.#written('source', source);
    passes.forEach((pass, index) => {
      input = this.#encode(encoder, pass, index, pipelines[index]!, input);
    });
    const byteLength = 4 * passes.at(-1)!.resultWords;
    const readBack = this.#slot('read back', byteLength, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST).buffer;
    encoder.copyBufferToBuffer(input, 0, readBack, 0, byteLength);
    this.#device.queue.submit([encoder.finish()]);
    return readBack;
  }

  #encode(
    encoder: GPUCommandEncoder,
    pass: ComputePass,
    index: number,
    pipeline: GPUComputePipeline,
    input: GPUBuffer,
  ): GPUBuffer {
    const device = this.#device;
    const result = this.#slot(`result ${index}`, 4 * pass.resultWords, storage | GPUBufferUsage.COPY_SRC).buffer;
    const params = this.#slot(`params ${index}`, 64, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST).buffer;
    device.queue.writeBuffer(params, 0, Int32Array.from(pass.params));
    const tables = (pass.tables ?? []).map((table, t) =>
      this.#written(`table ${pass.entryPoint} ${index} ${t}`, table),
    );
    const compute = encoder.beginComputePass();
    compute.setPipeline(pipeline);
    compute.setBindGroup(
      0,
      device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [params, result, input, ...tables].map((buffer, binding) => ({ binding, resource: { buffer } })),
      }),
    );
    compute.dispatchWorkgroups(Math.ceil(pass.columns / workgroupSide), Math.ceil(pass.rows / workgroupSide));
    compute.end();
    return result;
  }

  #pipeline({ shader, entryPoint }: ComputePass): Promise<GPUComputePipeline> {
    const known = this.#pipelines.get(entryPoint);
    if (known) return known;
    const module = this.#device.createShaderModule({ label: entryPoint, code: shader });
    const pipeline = this.#device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint } });
    this.#pipelines.set(entryPoint, pipeline);
    pipeline.catch(() => this.#pipelines.delete(entryPoint));
    return pipeline;
  }

  #written(name: string, content: ArrayBufferView<ArrayBuffer>): GPUBuffer {
    const slot = this.#slot(name, content.byteLength, storage | GPUBufferUsage.COPY_DST);
    if (slot.content !== content || name === 'source') {
      this.#device.queue.writeBuffer(slot.buffer, 0, content.buffer, content.byteOffset, content.byteLength);
      slot.content = content;
    }
    return slot.buffer;
  }

  #slot(name: string, byteLength: number, usage: GPUBufferUsageFlags): Slot {
    const known = this.#slots.get(name);
    if (known && known.buffer.size >= byteLength) return known;
    const limit = Math.min(this.#device.limits.maxBufferSize, this.#device.limits.maxStorageBufferBindingSize);
    if (byteLength > limit) {
      throw new WebGpuError(
        'too-large',
        `A frame needs ${byteLength} bytes on the GPU, its limit is ${limit}. The CPU does the same work.`,
      );
    }
    known?.buffer.destroy();
    const slot = { buffer: this.#device.createBuffer({ label: name, size: Math.max(byteLength, 16), usage }) };
    this.#slots.set(name, slot);
    return slot;
  }
}
