import type { PictureSize } from '../../../src/vision/trace.ts';
import type { PictureOrder, ShownFrame } from '../protocol.ts';
import { RestingPicture } from './resting-picture.ts';
import type { StageCanvas } from './stage-canvas.ts';

/**
 * The picture on the stage, no larger than the stage shows it. Where it is to be seen larger than it was drawn, it is drawn
 * again, of the same run; so is the last one of a stream that ends.
 */
export class StagePicture {
  readonly #resting: RestingPicture;
  readonly #redraw: (order: PictureOrder) => Promise<ImageBitmap | null>;
  #within: PictureSize | null = null;
  /** of the picture on the stage, or the one that it was asked for again with */
  #ordered: PictureOrder = nothing;

  /** `redraw` draws the picture of a run once more, and rejects or gives null where that run is gone. */
  constructor(redraw: (order: PictureOrder) => Promise<ImageBitmap | null>) {
    this.#redraw = redraw;
    this.#resting = new RestingPicture(redraw);
  }

  set canvas(canvas: Pick<StageCanvas, 'show'>) {
    this.#resting.canvas = canvas;
  }

  /** What a picture has to fill once it is at rest, px of the screen: the full one stays at hand. null = it is shown in full. */
  set restsWithin(within: PictureSize | null) {
    this.#resting.within = within;
  }

  /** What the picture of the next run has to fill, px of the screen; null = it is wanted in full. */
  get within(): PictureSize | null {
    return this.#within;
  }
  set within(within: PictureSize | null) {
    this.#within = within;
    void this.#sharpen();
  }

  /** Takes the picture of a run over. */
  show({ picture, isReduced }: Pick<ShownFrame, 'picture' | 'isReduced'>, { runId, within }: PictureOrder): void {
    this.#ordered = { runId, within: isReduced ? within : null };
    this.#put(picture);
    void this.#sharpen();
  }

  /** What is on the stage is not drawn again: a picture of another source is awaited. */
  leave(): void {
    this.#ordered = nothing;
    this.#resting.leave();
  }

  async #sharpen(): Promise<void> {
    if (!isLarger(this.#within, this.#ordered.within)) return;
    const drawn = this.#ordered;
    const order = { runId: drawn.runId, within: this.#within };
    this.#ordered = order;
    const picture = await this.#redraw(order).catch(() => null); // a worker that died says so where its frames are awaited
    if (this.#ordered !== order) picture?.close();
    else if (picture) this.#put(picture);
    else this.#ordered = drawn;
  }

  #put(picture: ImageBitmap): void {
    this.#resting.show(picture, this.#ordered.within ? null : this.#ordered.runId);
  }
}

const nothing: PictureOrder = { runId: 0, within: null };

/** null is the largest. */
function isLarger(wanted: PictureSize | null, drawn: PictureSize | null): boolean {
  if (!drawn) return false;
  return !wanted || wanted.widthPx > drawn.widthPx || wanted.heightPx > drawn.heightPx;
}
