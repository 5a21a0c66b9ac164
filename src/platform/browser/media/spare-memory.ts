/** Spare buffers of each size: one frame on the stage and up to three under way. */
const mostSpare = 4;
/** Sizes that are kept: planes of a camera, their colours, and those of the stage's pictures and of thumbnails. */
const mostSizes = 4;

/** Memory of frames that nobody looks at any more, for the next ones: fresh memory costs more, page by page, than what goes into it. */
export class SpareMemory {
  readonly #bySize = new Map<number, ArrayBuffer[]>();

  /** A buffer of an earlier frame, or a fresh one; the caller's from now on. */
  take(byteLength: number): ArrayBuffer {
    const spare = this.#bySize.get(byteLength) ?? [];
    // Sizes change when the camera does: the one that was asked for longest ago goes.
    this.#bySize.delete(byteLength);
    this.#bySize.set(byteLength, spare);
    if (this.#bySize.size > mostSizes) this.#bySize.delete(this.#bySize.keys().next().value!);
    return spare.pop() ?? new ArrayBuffer(byteLength);
  }

  /** Nobody uses it any more. */
  give(buffer: ArrayBuffer): void {
    const spare = this.#bySize.get(buffer.byteLength);
    if (spare && spare.length < mostSpare) spare.push(buffer);
  }
}
