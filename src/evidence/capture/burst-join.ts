import type { FilteredResult } from './filtered-result.ts';
import { isSameFrame } from './frame-ref.ts';
import type { KeptImage } from './kept-image.ts';

/**
 * How many results are remembered for frames that are not encoded yet, and how many frames wait for their results.
 */
const mostRemembered = 300;

/**
 * Joins the frames of a burst with their results, whichever come first. A frame that the model had no time for is
 * passed on without a result as soon as a later frame has one: results come in order.
 */
export class BurstJoin {
  readonly #onJoined: (kept: KeptImage, result: FilteredResult | null) => void;
  #results: FilteredResult[] = [];
  #waiting: KeptImage[] = [];

  constructor(onJoined: (kept: KeptImage, result: FilteredResult | null) => void) {
    this.#onJoined = onJoined;
  }

  /** Adds an encoded frame, in the order of the stream. */
  kept(kept: KeptImage): void {
    this.#waiting.push(kept);
    this.#settle();
  }

  /** Adds a result, in the order of the stream. */
  seen(result: FilteredResult): void {
    this.#results = [...this.#results, result].slice(-mostRemembered);
    this.#settle();
  }

  /** Passes on the frames that still wait. */
  flush(): void {
    this.#settle();
    for (const kept of this.#waiting.splice(0)) this.#onJoined(kept, null);
  }

  #settle(): void {
    const newest = this.#results.at(-1);
    for (let [kept] = this.#waiting; kept; [kept] = this.#waiting) {
      const { info } = kept;
      const result = this.#results.find(({ frame }) => isSameFrame(frame, info)) ?? null;
      const isOvertaken = newest !== undefined && newest.frame.index > info.index;
      if (!result && !isOvertaken && this.#waiting.length <= mostRemembered) return;
      this.#waiting.shift();
      if (result) this.#results = this.#results.slice(this.#results.indexOf(result) + 1);
      this.#onJoined(kept, result);
    }
  }
}
