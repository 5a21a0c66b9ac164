import type { StillFrame } from '../../../platform/ports/frame-source.ts';

/**
 * The pictures of the bench: the samples and the person's own, which of the two the strip shows, and which picture
 * is on the stage.
 */
export class StillsState {
  /** The person's own pictures, also while the samples are shown. */
  own = $state.raw<readonly StillFrame[]>([]);
  #samples = $state.raw<readonly StillFrame[]>([]);
  showsSamples: boolean = $state(true);
  #ownIndex = $state(0);
  #sampleIndex = $state(0);

  /** The pictures in the strip. */
  get frames(): readonly StillFrame[] {
    return this.showsSamples ? this.#samples : this.own;
  }
  get index(): number {
    return this.showsSamples ? this.#sampleIndex : this.#ownIndex;
  }
  get shown(): StillFrame | null {
    return this.frames[this.index] ?? null;
  }
  /** Which of the person's own pictures is shown, or was shown last. */
  get ownShown(): StillFrame | null {
    return this.own[this.#ownIndex] ?? null;
  }

  /** Shows samples, others than before from their first. */
  showSamples(samples: readonly StillFrame[]): void {
    if (samples !== this.#samples) this.#sampleIndex = 0;
    this.#samples = samples;
    this.showsSamples = true;
  }

  /** Shows the person's own pictures again, at the last shown one. */
  showOwn(): void {
    this.showsSamples = false;
  }

  /**
   * Appends pictures to the person's own, and shows the first of them. `isOnce`: names are unique, and a picture
   * replaces the one with its name.
   */
  add(frames: readonly StillFrame[], { isOnce = false } = {}): void {
    const [first] = frames;
    if (!first) return;
    const again = (one: StillFrame) => (isOnce && frames.find(({ name }) => name === one.name)) || one;
    const before = this.own.map(again);
    this.own = [...before, ...(isOnce ? frames.filter((frame) => !before.includes(frame)) : frames)];
    this.#ownIndex = this.own.indexOf(first);
    this.showsSamples = false;
  }

  /** Removes one of the person's own pictures and shows the next one, or after the last the one before. */
  remove(index: number): void {
    this.own = this.own.toSpliced(index, 1);
    if (index < this.#ownIndex || this.#ownIndex === this.own.length) this.#ownIndex = Math.max(0, this.#ownIndex - 1);
  }

  /** Removes all of the person's own pictures. */
  removeOwn(): void {
    this.own = [];
    this.#ownIndex = 0;
  }

  /**
   * Selects a picture; an index out of range means the nearest end. Returns whether another picture is shown now.
   */
  select(index: number): boolean {
    const next = Math.max(0, Math.min(this.frames.length - 1, index));
    if (next === this.index) return false;
    if (this.showsSamples) this.#sampleIndex = next;
    else this.#ownIndex = next;
    return true;
  }
}
