import type { StillFrame } from '../../../ports/frame-source.ts';

/** The pictures of the bench: the samples and one's own, which of the two the strip shows, and which picture is on the stage. */
export class StillsState {
  #own = $state.raw<readonly StillFrame[]>([]);
  #samples = $state.raw<readonly StillFrame[]>([]);
  #showsSamples = $state(true);
  #ownIndex = $state(0);
  #sampleIndex = $state(0);

  /** What the strip shows. */
  get frames(): readonly StillFrame[] {
    return this.#showsSamples ? this.#samples : this.#own;
  }
  get index(): number {
    return this.#showsSamples ? this.#sampleIndex : this.#ownIndex;
  }
  get shown(): StillFrame | null {
    return this.frames[this.index] ?? null;
  }
  get showsSamples(): boolean {
    return this.#showsSamples;
  }
  /** The pictures that were given, also while the samples are shown. */
  get own(): readonly StillFrame[] {
    return this.#own;
  }
  /** Which of one's own is shown, or was shown last. */
  get ownShown(): StillFrame | null {
    return this.#own[this.#ownIndex] ?? null;
  }

  showSamples(samples: readonly StillFrame[]): void {
    this.#samples = samples;
    this.#showsSamples = true;
  }

  /** Shows one's own pictures again, where one was among them. */
  showOwn(): void {
    this.#showsSamples = false;
  }

  /**
   * Puts frames at the end of one's own, and shows the first of them. `isOnce`: a name is one picture's, and a frame takes the place
   * of the one of its name.
   */
  add(frames: readonly StillFrame[], { isOnce = false } = {}): void {
    const [first] = frames;
    if (!first) return;
    const again = (one: StillFrame) => (isOnce && frames.find(({ name }) => name === one.name)) || one;
    const before = this.#own.map(again);
    this.#own = [...before, ...(isOnce ? frames.filter((frame) => !before.includes(frame)) : frames)];
    this.#ownIndex = this.#own.indexOf(first);
    this.#showsSamples = false;
  }

  /** Takes one of one's own out; the next one takes its place, after the last one the one before. */
  remove(index: number): void {
    this.#own = this.#own.toSpliced(index, 1);
    if (index < this.#ownIndex || this.#ownIndex === this.#own.length) this.#ownIndex = Math.max(0, this.#ownIndex - 1);
  }

  /** Takes all of one's own out. */
  removeOwn(): void {
    this.#own = [];
    this.#ownIndex = 0;
  }

  /** Out of range goes to the nearest end. Returns whether another frame is shown now. */
  select(index: number): boolean {
    const next = Math.max(0, Math.min(this.frames.length - 1, index));
    if (next === this.index) return false;
    if (this.#showsSamples) this.#sampleIndex = next;
    else this.#ownIndex = next;
    return true;
  }
}
