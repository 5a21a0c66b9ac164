import type { BufferReader } from './read-buffers.ts';
import type { WebGpuDevice } from './webgpu-device.ts';

const bytesOfStamp = 8;

/** Times compute passes by the GPU's own clock. One run of passes at a time. */
export class PassClock {
  readonly #stamps: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #count: number;

  /** null where the GPU does not tell: its adapter offers no `timestamp-query`. At most `mostPasses` are timed together. */
  static of({ device }: WebGpuDevice, mostPasses: number): PassClock | null {
    return device.features.has('timestamp-query') ? new PassClock(device, mostPasses + 1) : null;
  }

  private constructor(device: GPUDevice, count: number) {
    this.#count = count;
    this.#stamps = device.createQuerySet({ label: 'pass clock', type: 'timestamp', count });
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
    this.#resolved = device.createBuffer({ label: 'pass clock', size: bytesOfStamp * count, usage });
  }

  /** The descriptor of a pass, of which there are so many. */
  stampsOf(pass: number, passes: number): GPUComputePassDescriptor {
    if (passes >= this.#count) return {};
    const beginning = pass === 0 && { beginningOfPassWriteIndex: 0 };
    return { timestampWrites: { querySet: this.#stamps, ...beginning, endOfPassWriteIndex: pass + 1 } };
  }

  /** After the passes. */
  resolve(encoder: GPUCommandEncoder, passes: number): void {
    if (passes < this.#count) encoder.resolveQuerySet(this.#stamps, 0, passes + 1, this.#resolved, 0);
  }

  /** How long each pass took, ms; null where the clock makes no sense. To be called once they were submitted, as `reader`'s. */
  async read(reader: BufferReader, passes: number): Promise<readonly number[] | null> {
    if (passes >= this.#count) return null;
    const [bytes] = await reader.read([{ buffer: this.#resolved, byteLength: bytesOfStamp * (passes + 1) }]);
    const stamps = new BigUint64Array(bytes!);
    const tookMs = Array.from({ length: passes }, (_, pass) => Number(stamps[pass + 1]! - stamps[pass]!) / 1e6);
    return tookMs.every((ms) => ms >= 0 && ms < mostMs) ? tookMs : null;
  }
}

/** A clock that was set back, or that stopped with the computer, gives more. */
const mostMs = 60_000;
