import type { PictureSize } from '../../../src/vision/trace.ts';
import type { PictureOrder } from '../protocol.ts';
import type { StageCanvas } from './stage-canvas.ts';

/** A picture that changes sooner is not worth drawing twice. */
const restMs = 300;

/**
 * Shows a picture that comes to rest no larger than the stage, as the browser puts all of its pixels on the screen again with whatever
 * changes above it. The full picture stays in hand, and is back in the same task once somebody looks closely.
 */
export class RestingPicture {
  canvas: Pick<StageCanvas, 'show'> | null = null;
  readonly #redraw: (order: PictureOrder) => Promise<ImageBitmap | null>;
  #within: PictureSize | null = null;
  /** what lies on the canvas; null = nothing that can be drawn smaller */
  #shown: (PictureSize & { readonly runId: number }) | null = null;
  /** the same in full while it lies there reduced */
  #full: ImageBitmap | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `redraw` as StagePicture's. */
  constructor(redraw: (order: PictureOrder) => Promise<ImageBitmap | null>) {
    this.#redraw = redraw;
  }

  /** What a picture at rest has to fill, px of the screen; null = it is shown in full. */
  set within(within: PictureSize | null) {
    if (within?.widthPx === this.#within?.widthPx && within?.heightPx === this.#within?.heightPx) return;
    this.#within = within;
    this.#wake();
  }

  /** Takes the picture over. `runId`: whose picture in full it is; null = of none, and it stays as it is. */
  show(picture: ImageBitmap, runId: number | null): void {
    this.leave();
    if (runId !== null) this.#shown = { runId, widthPx: picture.width, heightPx: picture.height };
    if (this.canvas) this.canvas.show(picture);
    else picture.close();
    this.#await();
  }

  /** Lets go of what it holds: what lies on the canvas is not changed any more. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#shown = null;
    this.#full?.close();
    this.#full = null;
  }

  /** Shows in full what is reduced. */
  #wake(): void {
    const full = this.#full;
    this.#full = null;
    if (full) this.canvas?.show(full);
    this.#await();
  }

  #await(): void {
    clearTimeout(this.#timer);
    if (this.#shown && isLarger(this.#shown, this.#within)) this.#timer = setTimeout(() => void this.#rest(), restMs);
  }

  async #rest(): Promise<void> {
    const [shown, within] = [this.#shown, this.#within];
    if (!shown) return;
    const draw = (size: PictureSize | null) => this.#redraw({ runId: shown.runId, within: size }).catch(() => null); // a worker that died says so where its frames are awaited
    const isDue = () => this.canvas && this.#shown === shown && this.#within === within;
    const reduced = await draw(within);
    // Nearly as large, it is not made smaller.
    const full = reduced && reduced.width < shown.widthPx && isDue() ? await draw(null) : null;
    if (reduced && full && isDue()) {
      this.canvas?.show(reduced);
      this.#full = full;
    } else {
      reduced?.close();
      full?.close();
    }
  }
}

function isLarger({ widthPx, heightPx }: PictureSize, within: PictureSize | null): boolean {
  return within !== null && (widthPx > within.widthPx || heightPx > within.heightPx);
}
