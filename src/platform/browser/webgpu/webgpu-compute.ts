import type { PassClock } from './pass-clock.ts';
import type { WebGpuDevice } from './webgpu-device.ts';
import { WebGpuError } from './webgpu-error.ts';

/** One compute pass. Binding 0 is `params`, 1 the result, 2 what the pass before left (or the source), 3 and on the `tables`. */
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
  /** the content that was written last */
  content?: ArrayBufferView;
}

const workgroupSide = 16;
const storage = 0x80; // GPUBufferUsage.STORAGE, a global that is missing where there is no WebGPU

/**
 * Runs compute passes on a GPU device. Pipelines and buffers are kept for the next frame; buffers grow to the largest.
 */
export class WebGpuCompute {
  readonly #gpu: WebGpuDevice;
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();
  readonly #slots = new Map<string, Slot>();

  constructor(gpu: WebGpuDevice) {
    this.#gpu = gpu;
  }

  /**
   * Uploads the source and hands the passes to the GPU, the last of which writes `into`. Resolves to what lies on the GPU then: the
   * source, and what each pass left, in buffers of this object's that hold until the next call. The source may be reused once this
   * resolves, which is before the GPU has done it. To be called within the device's `order`. @throws WebGpuError too-large
   */
  async submit(
    source: ArrayBufferView<ArrayBuffer>,
    passes: readonly ComputePass[],
    into: GPUBuffer | null = null,
    clock: PassClock | null = null,
  ): Promise<readonly GPUBuffer[]> {
    return this.#submit('', this.#written('source', source), passes, into, clock);
  }

  /**
   * Hands passes to the GPU that begin with what lies there already. Resolves to what the last one left, which holds until passes
   * are handed over under the same name. As `submit` otherwise.
   */
  async submitAfter(input: GPUBuffer, passes: readonly ComputePass[], name: string): Promise<GPUBuffer> {
    return (await this.#submit(`${name} `, input, passes, null, null)).at(-1)!;
  }

  async #submit(
    prefix: string,
    input: GPUBuffer,
    passes: readonly ComputePass[],
    into: GPUBuffer | null,
    clock: PassClock | null,
  ): Promise<readonly GPUBuffer[]> {
    const { device } = this.#gpu;
    const pipelines = await Promise.all(passes.map((pass) => this.#pipeline(pass)));
    const encoder = device.createCommandEncoder();
    const left = [input];
    passes.forEach((pass, index) => {
      const isLast = index === passes.length - 1;
      const name = `${prefix}${index}`;
      const result = (isLast && into) || this.#slot(`result ${name}`, 4 * pass.resultWords, 'source').buffer;
      const compute = encoder.beginComputePass(clock?.stampsOf(index, passes.length));
      this.#encode(compute, pass, name, pipelines[index]!, left.at(-1)!, result);
      left.push(result);
    });
    clock?.resolve(encoder, passes.length);
    device.queue.submit([encoder.finish()]);
    return left;
  }

  #encode(
    compute: GPUComputePassEncoder,
    pass: ComputePass,
    name: string,
    pipeline: GPUComputePipeline,
    input: GPUBuffer,
    result: GPUBuffer,
  ): void {
    const { device } = this.#gpu;
    const params = this.#slot(`params ${name}`, 64, 'params').buffer;
    device.queue.writeBuffer(params, 0, Int32Array.from(pass.params));
    const tables = (pass.tables ?? []).map((table, t) => this.#written(`table ${pass.entryPoint} ${name} ${t}`, table));
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
  }

  #pipeline({ shader, entryPoint }: ComputePass): Promise<GPUComputePipeline> {
    const known = this.#pipelines.get(entryPoint);
    if (known) return known;
    const { device } = this.#gpu;
    const module = device.createShaderModule({ label: entryPoint, code: shader });
    const pipeline = device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint } });
    this.#pipelines.set(entryPoint, pipeline);
    pipeline.catch(() => this.#pipelines.delete(entryPoint));
    return pipeline;
  }

  #written(name: string, content: ArrayBufferView<ArrayBuffer>): GPUBuffer {
    const slot = this.#slot(name, content.byteLength, 'source');
    if (slot.content !== content || name === 'source') {
      this.#write(slot.buffer, new Uint8Array(content.buffer, content.byteOffset, content.byteLength));
      slot.content = content;
    }
    return slot.buffer;
  }

  /** A GPU is written whole words. */
  #write(buffer: GPUBuffer, bytes: Uint8Array<ArrayBuffer>): void {
    const { queue } = this.#gpu.device;
    const whole = bytes.length - (bytes.length % 4);
    queue.writeBuffer(buffer, 0, bytes, 0, whole);
    if (whole === bytes.length) return;
    const last = new Uint8Array(4);
    last.set(bytes.subarray(whole));
    queue.writeBuffer(buffer, whole, last);
  }

  #slot(name: string, byteLength: number, purpose: 'source' | 'params'): Slot {
    const known = this.#slots.get(name);
    if (known && known.buffer.size >= byteLength) return known;
    const buffer = createStorage(this.#gpu, name, byteLength, purpose);
    known?.buffer.destroy();
    const slot = { buffer };
    this.#slots.set(name, slot);
    return slot;
  }
}

/** A buffer that shaders and models read and write. @throws WebGpuError too-large */
export function createStorage(
  { device }: WebGpuDevice,
  label: string,
  byteLength: number,
  purpose: 'source' | 'params' = 'source',
): GPUBuffer {
  const limit = Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize);
  if (byteLength > limit) {
    throw new WebGpuError(
      'too-large',
      `A frame needs ${byteLength} bytes on the GPU, its limit is ${limit}. The CPU does the same work.`,
    );
  }
  const usage =
    GPUBufferUsage.COPY_DST | (purpose === 'params' ? GPUBufferUsage.UNIFORM : storage | GPUBufferUsage.COPY_SRC);
  // Models read four floats at a time: the last of them must lie within.
  return device.createBuffer({ label, size: Math.ceil(Math.max(byteLength, 1) / 16) * 16, usage });
}
