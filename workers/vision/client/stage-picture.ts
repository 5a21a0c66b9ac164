import type { PictureSize } from '../../../src/machine/vision/face/traces.ts';
import type { PictureOrder, ShownFrame } from '../protocol.ts';
import { RestingPicture } from './resting-picture.ts';
import type { StageCanvas } from './stage-canvas.ts';

/**
 * The picture on the stage, no larger than the stage shows it. If it must be shown larger than it was drawn, the
 * same run is drawn again; so is the last frame when a stream ends.
 */
export class StagePicture {
  readonly #resting: RestingPicture;
  #canvas: Pick<StageCanvas, 'show' | 'copy'> | null = null;
  readonly #redraw: (order: PictureOrder) => Promise<ImageBitmap | null>;
  #within: PictureSize | null = null;
  /** the order of the picture on the stage, or of the redraw that is pending */
  #ordered: PictureOrder = nothing;

  /** `redraw` draws the picture of a run again; it rejects or resolves to null if that run is gone. */
  constructor(redraw: (order: PictureOrder) => Promise<ImageBitmap | null>) {
    this.#redraw = redraw;
    this.#resting = new RestingPicture(redraw);
  }

  set canvas(canvas: Pick<StageCanvas, 'show' | 'copy'>) {
    this.#canvas = canvas;
    this.#resting.canvas = canvas;
  }

  /**
   * The size in screen px that a resting picture has to fill; the full picture is kept. null: it is shown in full.
   */
  set restsWithin(within: PictureSize | null) {
    this.#resting.within = within;
  }

  /** The size in screen px that the next picture has to fill; null: it is wanted in full. */
  get within(): PictureSize | null {
    return this.#within;
  }
  set within(within: PictureSize | null) {
    this.#within = within;
    void this.#sharpen();
  }

  /** Shows the picture of a run and takes ownership of it. */
  show({ picture, isReduced }: Pick<ShownFrame, 'picture' | 'isReduced'>, { runId, within }: PictureOrder): void {
    this.#ordered = { runId, within: isReduced ? within : null };
    this.#put(picture);
    void this.#sharpen();
  }

  /**
   * The picture on the stage when this is called: in full while its run is the worker's last one, else, or `asShown`, as
   * large as it is shown. The receiver closes it. null: there is no stage.
   */
  async copy(asShown = false): Promise<ImageBitmap | null> {
    if (!this.#canvas) return null;
    const shown = this.#canvas.copy();
    const full = asShown ? null : await this.#redraw({ runId: this.#ordered.runId, within: null }).catch(() => null); // a worker that died says so where its frames are awaited
    if (!full) return shown;
    void shown.then((smaller) => smaller.close());
    return full;
  }

  /** The current picture is not drawn again from now on: another source will follow. */
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

/** null: the full size, which is the largest. */
function isLarger(wanted: PictureSize | null, drawn: PictureSize | null): boolean {
  if (!drawn) return false;
  return !wanted || wanted.widthPx > drawn.widthPx || wanted.heightPx > drawn.heightPx;
}
