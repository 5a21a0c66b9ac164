import type { WebGpuDevice } from './webgpu-device.ts';

/** Bytes at the beginning of a GPU buffer. */
export interface BufferPart {
  readonly buffer: GPUBuffer;
  readonly byteLength: number;
}

const alignment = 8; // a copy's places are multiples of 4, a BigInt64Array's of 8
const mostKept = 2; // one is read while the next is written

/** Brings parts of buffers to the CPU, all of a call in one copy. */
export class BufferReader {
  readonly #gpu: WebGpuDevice;
  #kept: GPUBuffer[] = [];

  constructor(gpu: WebGpuDevice) {
    this.#gpu = gpu;
  }

  /**
   * Reads what the buffers hold after everything that was submitted before; they may be written again once this returns. Each
   * result is the caller's. To be called within the device's `order`. @throws WebGpuError device-lost
   */
  async read(parts: readonly BufferPart[]): Promise<ArrayBuffer[]> {
    if (parts.length === 0) return [];
    const { device } = this.#gpu;
    const padded = parts.map(({ byteLength }) => Math.ceil(byteLength / alignment) * alignment);
    const total = padded.reduce((sum, bytes) => sum + bytes, 0);
    const staging = this.#take(total);
    const encoder = device.createCommandEncoder();
    let place = 0;
    const places = parts.map(({ buffer, byteLength }, k) => {
      const at = place;
      place += padded[k]!;
      encoder.copyBufferToBuffer(buffer, 0, staging, at, Math.ceil(byteLength / 4) * 4);
      return at;
    });
    device.queue.submit([encoder.finish()]);
    await this.#gpu.answer(staging.mapAsync(GPUMapMode.READ, 0, total));
    const mapped = staging.getMappedRange(0, total);
    const copies = parts.map(({ byteLength }, k) => mapped.slice(places[k]!, places[k]! + byteLength));
    staging.unmap();
    this.#keep(staging);
    return copies;
  }

  #take(byteLength: number): GPUBuffer {
    const at = this.#kept.findIndex(({ size }) => size >= byteLength);
    if (at >= 0) return this.#kept.splice(at, 1)[0]!;
    return this.#gpu.device.createBuffer({
      label: 'read back',
      size: Math.max(byteLength, 256),
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
  }

  /** The largest stay. */
  #keep(staging: GPUBuffer): void {
    this.#kept = [...this.#kept, staging].sort((a, b) => b.size - a.size);
    for (const small of this.#kept.splice(mostKept)) small.destroy();
  }
}
