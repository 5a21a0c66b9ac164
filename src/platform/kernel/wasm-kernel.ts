import { markPixels, type MarkPixels, wordsOfRow } from '../../machine/vision/face/colors.ts';
import {
  type InputSpec,
  type StretchKernel,
  type Tensor,
  type TensorData,
  tensorShape,
} from '../../machine/vision/face/feeding.ts';
import {
  type ConvertYuv,
  type ReadFrame,
  shrinkToRgba,
  type ShrinkYuv,
  yuvToRgba,
} from '../../machine/vision/face/frames.ts';
import { encodeColumns, type ColumnTable } from './column-table.ts';
import { layOutKernelJob, padColumns, writeKernelJob, type KernelRequest } from './kernel-job.ts';
import { KernelMemory } from './kernel-memory.ts';
import { KernelPlanes } from './kernel-planes.ts';
import { layOutSource, writeSource, type KernelFrame } from './kernel-source.ts';
import { layOutMarkJob, writePixelTest } from './mark-job.ts';
import { layOutShrinkJob, writeShrinkJob } from './shrink-job.ts';
import { encodeRows, type WeightTable } from './weight-table.ts';

const tablesKept = 16;

interface Exports {
  readonly stretchToTensor: (jobByte: number) => void;
  readonly convertRows: (sourceByte: number, from: number, to: number, outByte: number) => void;
  readonly shrinkToRgba: (jobByte: number) => void;
  readonly markRows: (pixelsByte: number, widthPx: number, rows: number, testByte: number, outByte: number) => void;
}

/**
 * The reference's stretch and pack in WebAssembly SIMD, bit for bit. What it is not made for (16-bit samples, an axis shrunk more
 * than about 60 times, more memory than its bound) it hands to the reference.
 *
 * The returned tensor's data is a view of the kernel's memory: it holds until the next call, or, if it was lent, until it is given
 * back. Copy it to keep it, never transfer it.
 */
export class WasmStretchKernel implements StretchKernel {
  readonly #reference: StretchKernel;
  readonly #memory: KernelMemory;
  /** that of tensors given out, as other threads may read them; empty where memory is not shared */
  readonly #lendable = new WeakSet<ArrayBufferLike>();
  readonly #isShared: boolean;
  readonly #exports: Exports;
  /** where a camera's planes are read for it; null where memory is not shared */
  readonly planesMemory: KernelPlanes | null;
  readonly #columns = new Map<string, ColumnTable | null>();
  readonly #rows = new Map<string, WeightTable | null>();

  /**
   * `module` is build/pixels.wasm, or build/pixels-shared.wasm for memory that other threads can read, compiled by whoever knows where
   * it lies. @throws TypeError where the browser shares no memory
   */
  constructor(module: WebAssembly.Module, reference: StretchKernel, isShared = false) {
    this.#reference = reference;
    this.#isShared = isShared;
    this.#memory = new KernelMemory(isShared);
    this.planesMemory = isShared ? new KernelPlanes(this.#memory) : null;
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory.memory } });
    this.#exports = exports as unknown as Exports;
  }

  /** WebAssembly memory held: enough for the largest job so far. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  stretchToTensor(frame: ReadFrame, spec: InputSpec): Tensor {
    const request = frame.format === 'rgba16' ? null : this.#request(frame, spec);
    if (!request) return this.#reference.stretchToTensor(frame, spec);
    const layout = layOutKernelJob(request, this.#memory);
    if (!this.#memory.reach(layout.endByte)) return this.#reference.stretchToTensor(frame, spec);
    const { buffer } = this.#memory;
    writeKernelJob(buffer, request, layout);
    this.#exports.stretchToTensor(layout.job);
    if (this.#isShared) this.#lendable.add(buffer);
    return tensorAt(buffer, layout.tensor, request);
  }

  /**
   * Lends a tensor's values to a thread that reads them where they lie: nothing is written there until the function that is returned
   * was called. null where they are not this kernel's, or its memory is not shared: they have to be copied.
   */
  readonly lend = (data: TensorData): (() => void) | null =>
    this.#lendable.has(data.buffer) ? this.#memory.hold(data) : null;

  readonly toRgba: ConvertYuv = (planes, into) => {
    const places = this.#memory.startPlaces();
    const layout = layOutSource(planes, places);
    const pixels = places.place(into.length);
    if (!this.#memory.reach(places.end())) return yuvToRgba(planes, into);
    const { buffer } = this.#memory;
    writeSource(buffer, planes, layout);
    this.#exports.convertRows(layout.source, 0, planes.heightPx, pixels);
    into.set(new Uint8ClampedArray(buffer, pixels, into.length));
  };

  readonly shrinkToRgba: ShrinkYuv = (planes, size, into) => {
    const places = this.#memory.startPlaces();
    const layout = layOutShrinkJob(planes, size, places);
    if (!this.#memory.reach(places.end())) return shrinkToRgba(planes, size, into);
    const { buffer } = this.#memory;
    writeShrinkJob(buffer, planes, size, layout);
    this.#exports.shrinkToRgba(layout.job);
    into.set(new Uint8ClampedArray(buffer, layout.out, into.length));
  };

  /** A strip of rows at a time. */
  readonly markPixels: MarkPixels = (pixels, widthPx, test) => {
    const places = this.#memory.startPlaces();
    const layout = layOutMarkJob(widthPx, places);
    if (!this.#memory.reach(places.end())) return markPixels(pixels, widthPx, test);
    const { buffer } = this.#memory;
    writePixelTest(buffer, test, layout.test);
    const [heightPx, words] = [Math.ceil(pixels.length / widthPx), wordsOfRow(widthPx)];
    const marks = new Uint32Array(words * heightPx);
    const strip = new Uint32Array(buffer, layout.pixels, widthPx * layout.rows);
    const marked = new Uint32Array(buffer, layout.marks, words * layout.rows);
    for (let y = 0; y < heightPx; y += layout.rows) {
      const rows = Math.min(layout.rows, heightPx - y);
      strip.set(pixels.subarray(y * widthPx, (y + rows) * widthPx));
      this.#exports.markRows(layout.pixels, widthPx, rows, layout.test, layout.marks);
      marks.set(marked.subarray(0, words * rows), words * y);
    }
    return marks;
  };

  #request(frame: KernelFrame, spec: InputSpec): KernelRequest | null {
    const widthPx = spec.widthPx ?? frame.widthPx;
    const heightPx = spec.heightPx ?? frame.heightPx;
    const request = { frame, widthPx, heightPx, spec };
    if (widthPx === frame.widthPx && heightPx === frame.heightPx) return { ...request, stretch: null };
    const columns = known(this.#columns, frame.widthPx, widthPx, () =>
      encodeColumns(frame.widthPx, widthPx, padColumns(widthPx)),
    );
    const rows = known(this.#rows, frame.heightPx, heightPx, () => encodeRows(frame.heightPx, heightPx));
    return columns && rows && { ...request, stretch: { columns, rows } };
  }
}

/** A table of the same axis before, or a new one. */
function known<T>(tables: Map<string, T>, sourceLength: number, length: number, encode: () => T): T {
  const key = `${sourceLength} ${length}`;
  const before = tables.get(key);
  if (before !== undefined) return before;
  const table = encode();
  if (tables.size >= tablesKept) tables.clear();
  tables.set(key, table);
  return table;
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
