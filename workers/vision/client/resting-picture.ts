import type { PictureSize } from '../../../src/machine/vision/face/traces.ts';
import type { PictureOrder } from '../protocol.ts';
import type { StageCanvas } from './stage-canvas.ts';

/** A picture that changes sooner than this is not worth reducing. */
const restMs = 300;

/**
 * Reduces a picture that has not changed for a while to the size of the stage, because the browser composes all of
 * its pixels again whenever something above it changes. The full picture is kept and is shown again in the same
 * task when somebody zooms in.
 */
export class RestingPicture {
  canvas: Pick<StageCanvas, 'show'> | null = null;
  readonly #redraw: (order: PictureOrder) => Promise<ImageBitmap | null>;
  #within: PictureSize | null = null;
  /** the picture on the canvas; null: none that could be reduced */
  #shown: (PictureSize & { readonly runId: number }) | null = null;
  /** the full picture while a reduced one is shown */
  #full: ImageBitmap | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `redraw` as in StagePicture. */
  constructor(redraw: (order: PictureOrder) => Promise<ImageBitmap | null>) {
    this.#redraw = redraw;
  }

  /** The size, in screen px, that a resting picture has to fill; null: it is shown in full. */
  set within(within: PictureSize | null) {
    if (within?.widthPx === this.#within?.widthPx && within?.heightPx === this.#within?.heightPx) return;
    this.#within = within;
    this.#wake();
  }

  /**
   * Shows the picture and takes ownership of it. `runId`: the run whose full picture it is; null: of no run, so
   * that it is never reduced.
   */
  show(picture: ImageBitmap, runId: number | null): void {
    this.leave();
    if (runId !== null) this.#shown = { runId, widthPx: picture.width, heightPx: picture.height };
    if (this.canvas) this.canvas.show(picture);
    else picture.close();
    this.#await();
  }

  /** Releases the full picture and stops; the canvas is left unchanged. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#shown = null;
    this.#full?.close();
    this.#full = null;
  }

  /** Shows the full picture again. */
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
    // The picture comes back no smaller if it is nearly as large as the stage: then the full one stays.
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
