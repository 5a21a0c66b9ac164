import type { StillFrame } from '../../ports/frame-source.ts';

/** The filmstrip: stills in order and which of them is on the stage. */
export class StillsState {
  #frames = $state.raw<readonly StillFrame[]>([]);
  #index = $state(0);

  get frames(): readonly StillFrame[] {
    return this.#frames;
  }
  get index(): number {
    return this.#index;
  }
  get shown(): StillFrame | null {
    return this.#frames[this.#index] ?? null;
  }

  replace(frames: readonly StillFrame[]): void {
    this.#frames = frames;
    this.#index = 0;
  }

  /** Puts frames at the end and selects the first of them. */
  append(frames: readonly StillFrame[]): void {
    this.#index = this.#frames.length;
    this.#frames = [...this.#frames, ...frames];
  }

  /** Takes one out; the next one takes its place, after the last one the one before. */
  remove(index: number): void {
    this.#frames = this.#frames.toSpliced(index, 1);
    if (index < this.#index || this.#index === this.#frames.length) this.#index = Math.max(0, this.#index - 1);
  }

  /** Out of range goes to the nearest end. Returns whether another frame is shown now. */
  select(index: number): boolean {
    const next = Math.max(0, Math.min(this.#frames.length - 1, index));
    if (next === this.#index) return false;
    this.#index = next;
    return true;
  }
}
