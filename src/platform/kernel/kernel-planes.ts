import type { PlanesMemory } from '../../machine/vision/face/frames.ts';
import type { KernelMemory } from './kernel-memory.ts';

type Planes = Uint8Array<ArrayBuffer>;

/** A frame on the stage, up to three under way, and a few that results keep. */
const mostKept = 8;

/** Room for planes in a kernel's own memory: a browser writes them there, and the kernel reads them where they lie. */
export class KernelPlanes implements PlanesMemory {
  readonly #memory: KernelMemory;
  /** how each place is given up, those of `#spare` included */
  readonly #places = new Map<symbol, () => void>();
  readonly #placeOf = new WeakMap<Planes, symbol>();
  #spare: Planes[] = [];
  // Who keeps a frame for long does not say when it goes.
  readonly #forgotten = new FinalizationRegistry<symbol>((place) => this.#giveUp(place));

  constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  take(byteLength: number): Planes | null {
    const again = this.#spare.pop();
    if (again?.length === byteLength) return again;
    // Another size of frames from here on: those before leave.
    for (const planes of [again, ...this.#spare]) if (planes) this.#giveUp(this.#placeOf.get(planes)!);
    this.#spare = [];
    if (this.#places.size >= mostKept) return null;
    const kept = this.#memory.keep(byteLength);
    if (!kept) return null;
    const place = Symbol();
    this.#places.set(place, kept.free);
    this.#placeOf.set(kept.bytes, place);
    this.#forgotten.register(kept.bytes, place);
    return kept.bytes;
  }

  give(planes: Planes): boolean {
    if (!this.#places.has(this.#placeOf.get(planes)!)) return false;
    this.#spare.push(planes);
    return true;
  }

  #giveUp(place: symbol): void {
    this.#places.get(place)?.();
    this.#places.delete(place);
  }
}
