import type { TensorData } from '../../machine/vision/face/feeding.ts';
import { mostKernelPages } from './kernel-bound.ts';
import type { Bytes, Places } from './kernel-source.ts';

const pageBytes = 65536;
/** The kernel may read and write this far past a row; and it keeps constants in as many bytes at the start of its memory. */
const slackBytes = 64;

interface Region {
  readonly from: number;
  readonly end: number;
}

/** The kernel's memory, from whose beginning each job gets its places anew, around those that are held. */
export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  readonly #held = new Set<Region>();
  readonly #kept = new WeakSet<Bytes>();
  /** behind all that any job had */
  #jobsEnd = slackBytes;

  readonly #mostPages: number;

  /**
   * `isShared`: other threads may read what lies in it. @throws TypeError where the browser shares none, RangeError where it has not
   * even the least room
   */
  constructor(isShared: boolean) {
    ({ memory: this.memory, mostPages: this.#mostPages } = reserved(isShared));
  }

  /** Where memory is shared a SharedArrayBuffer, though its type does not say so. */
  get buffer(): ArrayBuffer {
    return this.memory.buffer;
  }

  /** Hands out memory for one job; `end` is the first byte that nobody has. */
  startPlaces(): Places {
    let end = slackBytes;
    const place = (byteLength: number) => {
      const at = this.#free(Math.ceil(end / 64) * 64, byteLength + slackBytes);
      end = at + byteLength + slackBytes;
      return at;
    };
    return { place, keptAt: (bytes) => (this.#kept.has(bytes) ? bytes.byteOffset : null), end: () => end };
  }

  /** Grows where it must, which empties every view given out before, unless it is shared; false where the bound or the browser says no. */
  reach(endByte: number): boolean {
    if (!this.#grow(endByte)) return false;
    this.#jobsEnd = Math.max(this.#jobsEnd, endByte);
    return true;
  }

  /**
   * Room that no job gets until `free` was called, behind all that any had: a tensor that was just given out stays as it is. Only where
   * memory is shared, as elsewhere views do not outlast its growth. null where there is no more.
   */
  keep(byteLength: number): { readonly bytes: Uint8Array<ArrayBuffer>; readonly free: () => void } | null {
    const at = this.#free(64 * Math.ceil(this.#jobsEnd / 64) + slackBytes, byteLength + slackBytes);
    if (!this.#grow(at + byteLength + slackBytes)) return null;
    const bytes = new Uint8Array(this.buffer, at, byteLength);
    this.#kept.add(bytes);
    return { bytes, free: this.hold(bytes) };
  }

  #grow(endByte: number): boolean {
    const missingPages = Math.ceil((endByte - this.buffer.byteLength) / pageBytes);
    if (missingPages <= 0) return true;
    if (endByte > this.#mostPages * pageBytes) return false;
    try {
      this.memory.grow(missingPages);
      return true;
    } catch {
      return false; // a RangeError: the device has no more
    }
  }

  /** No job gets the place of these values until the function that is returned was called. */
  hold({ byteOffset, byteLength }: TensorData): () => void {
    const region = { from: byteOffset - slackBytes, end: byteOffset + byteLength };
    this.#held.add(region);
    return () => void this.#held.delete(region);
  }

  /** The first place from a byte on that lies beside all that is held. */
  #free(from: number, byteLength: number): number {
    const inTheWay = [...this.#held].find((held) => from < held.end && held.from < from + byteLength);
    return inTheWay ? this.#free(Math.ceil(inTheWay.end / 64) * 64, byteLength) : from;
  }
}

/** For the stretch of a frame of 12 megapixels. */
const leastPages = 1024;

/**
 * Memory that is shared is reserved up to its bound at once (it cannot move), for which a phone may have no room: half as much is
 * asked for then, and so on.
 */
function reserved(isShared: boolean): { readonly memory: WebAssembly.Memory; readonly mostPages: number } {
  for (let mostPages = mostKernelPages; ; mostPages /= 2) {
    try {
      const memory = new WebAssembly.Memory({ initial: 1, maximum: mostPages, shared: isShared });
      return { memory, mostPages };
    } catch (error) {
      if (!(error instanceof RangeError) || mostPages <= leastPages) throw error;
    }
  }
}
