import type { Frame } from '../vision/frame.ts';
import type { InputSpec } from '../vision/preprocess/input-spec.ts';
import { tensorShape } from '../vision/preprocess/pack-tensor.ts';
import type { StretchKernel } from '../vision/preprocess/stretch-kernel.ts';
import type { Tensor } from '../vision/tensor.ts';
import { layOutKernelJob, padColumns, writeKernelJob, type KernelRequest } from './kernel-job.ts';
import { encodeWeights, type WeightTable } from './weight-table.ts';

type EightBitFormat = Exclude<Frame['format'], 'rgba16'>;
interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

const pageBytes = 65536;
const maxPages = 8192; // 512 MiB: a frame that needs more takes the reference's slower way
const tablesKept = 16;
// Costs address space, not memory, until it is used; spares the frames given out from most later growth.
const headroomBytes = 32 * 2 ** 20;

/**
 * The reference's stretch and pack in WebAssembly SIMD, bit for bit. What it is not made for (16-bit samples, an axis shrunk more
 * than about 60 times, more memory than its bound) it hands to the reference.
 *
 * The returned tensor's data is a view of the kernel's memory: it holds until the next call. Copy it to keep it, never transfer it.
 */
export class WasmStretchKernel implements StretchKernel {
  readonly #reference: StretchKernel;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  readonly #run: (jobByte: number) => void;
  readonly #tables = new Map<string, WeightTable | null>();
  #reservedBytes = 0;

  /** `module` is build/pixels.wasm, compiled by whoever knows where it lies. */
  constructor(module: WebAssembly.Module, reference: StretchKernel) {
    this.#reference = reference;
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.#run = exports['stretchToTensor'] as (jobByte: number) => void;
  }

  /** WebAssembly memory held: enough for the largest job so far. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Where the next frame may be decoded to (4 · widthPx · heightPx bytes), which saves stretchToTensor its copy. The pixels hold until
   * this is called again. A stretch to an input that is not among `specs`, if it is very large, grows the memory and empties this view.
   */
  reserveFrame(size: Size, specs: readonly InputSpec[] = []): Uint8ClampedArray<ArrayBuffer> {
    const length = 4 * size.widthPx * size.heightPx;
    this.#reservedBytes = length;
    const requests = specs.map((spec) => this.#request('rgba8', size, spec)).filter((request) => request !== null);
    const ends = requests.map((request) => layOutKernelJob(request, length, true).endByte);
    const isReserved = this.#grow(Math.max(length + headroomBytes, ...ends));
    return isReserved ? new Uint8ClampedArray(this.#memory.buffer, 0, length) : new Uint8ClampedArray(length);
  }

  stretchToTensor(frame: Frame, spec: InputSpec): Tensor {
    const request = frame.format === 'rgba16' ? null : this.#request(frame.format, frame, spec);
    if (!request) return this.#reference.stretchToTensor(frame, spec);
    const isReserved = frame.samples.buffer === this.#memory.buffer;
    const layout = layOutKernelJob(request, this.#reservedBytes, isReserved);
    if (!this.#grow(layout.endByte)) return this.#reference.stretchToTensor(frame, spec);
    const { buffer } = this.#memory;
    if (!isReserved) new Uint8Array(buffer).set(frame.samples, layout.source);
    writeKernelJob(buffer, request, layout);
    this.#run(layout.job);
    return tensorAt(buffer, layout.tensor, request);
  }

  #request(format: EightBitFormat, source: Size, spec: InputSpec): KernelRequest | null {
    const widthPx = spec.widthPx ?? source.widthPx;
    const heightPx = spec.heightPx ?? source.heightPx;
    const request = {
      isYcbcr: format === 'ycbcr8',
      sourceWidthPx: source.widthPx,
      sourceHeightPx: source.heightPx,
      widthPx,
      heightPx,
      spec,
    };
    if (widthPx === source.widthPx && heightPx === source.heightPx) return { ...request, stretch: null };
    const columns = this.#table('columns', source.widthPx, widthPx);
    const rows = this.#table('rows', source.heightPx, heightPx);
    return columns && rows && { ...request, stretch: { columns, rows } };
  }

  #table(axis: 'columns' | 'rows', sourceLength: number, length: number): WeightTable | null {
    const key = `${axis} ${sourceLength} ${length}`;
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const table =
      axis === 'columns'
        ? encodeWeights(sourceLength, length, { entryCount: padColumns(length), tapMultiple: 4, startUnit: 4 })
        : encodeWeights(sourceLength, length, { entryCount: length, tapMultiple: 2, startUnit: 1 });
    if (this.#tables.size >= tablesKept) this.#tables.clear();
    this.#tables.set(key, table);
    return table;
  }

  /** Growing detaches every view given out before; false where the bound or the browser says no. */
  #grow(endByte: number): boolean {
    const missingPages = Math.ceil((endByte - this.memoryBytes) / pageBytes);
    if (missingPages <= 0) return true;
    if (endByte > maxPages * pageBytes) return false;
    try {
      this.#memory.grow(missingPages);
      return true;
    } catch {
      return false; // a RangeError: the device has no more
    }
  }
}

function tensorAt(buffer: ArrayBuffer, byteOffset: number, { widthPx, heightPx, spec }: KernelRequest): Tensor {
  const length = 3 * widthPx * heightPx;
  return {
    dtype: spec.dtype,
    shape: tensorShape(spec.layout, widthPx, heightPx),
    data:
      spec.dtype === 'uint8'
        ? new Uint8Array(buffer, byteOffset, length)
        : new Float32Array(buffer, byteOffset, length),
  };
}
