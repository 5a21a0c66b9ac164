import type { OverlayBox } from '../../kit/picture/draw-overlay.ts';

const FADE_MS = 120;
/** How much of the way a box makes at once, so that a change is seen in the first picture. */
const FIRST_STEP = 0.3;
/** With more boxes each picture of a fade would take longer than it is shown. */
const MOST_BOXES = 300;

interface Fade {
  readonly box: OverlayBox;
  readonly startMs: number;
}

/**
 * Boxes that appear and vanish while thresholds move over the same detections, over 120 ms. With other detections,
 * as in each frame of a video, boxes change at once.
 */
export class BoxFades {
  #detections: unknown = null;
  #boxes: readonly OverlayBox[] = [];
  #coming = new Map<number, Fade>();
  #going = new Map<number, Fade>();

  /** Takes the boxes that are wanted from now on. `detections`: what they are a choice of, by identity. */
  follow(detections: unknown, boxes: readonly OverlayBox[], nowMs: number): void {
    const before = new Map(this.#boxes.map((box) => [box.row, box]));
    const wanted = new Set(boxes.map(({ row }) => row));
    const isSame = detections === this.#detections && Math.max(before.size, wanted.size) <= MOST_BOXES;
    this.#detections = detections;
    this.#boxes = boxes;
    if (!isSame) return this.stop();
    for (const box of boxes) {
      this.#going.delete(box.row);
      if (!before.has(box.row)) this.#coming.set(box.row, { box, startMs: nowMs });
    }
    for (const [row, box] of before) {
      if (wanted.has(row)) continue;
      this.#coming.delete(row);
      this.#going.set(row, { box, startMs: nowMs });
    }
  }

  /** Shows the wanted boxes as they are. */
  stop(): void {
    this.#coming.clear();
    this.#going.clear();
  }

  /** What to draw at a time: the going boxes below the wanted ones. */
  at(nowMs: number): readonly OverlayBox[] {
    const shareOf = ({ startMs }: Fade): number =>
      Math.min(1, FIRST_STEP + (1 - FIRST_STEP) * Math.max(0, (nowMs - startMs) / FADE_MS));
    for (const fades of [this.#coming, this.#going])
      for (const [row, fade] of fades) if (shareOf(fade) === 1) fades.delete(row);
    if (!this.isMoving) return this.#boxes;
    const going = [...this.#going.values()].map((fade) => ({ ...fade.box, opacity: 1 - shareOf(fade) }));
    const wanted = this.#boxes.map((box) => {
      const fade = this.#coming.get(box.row);
      return fade ? { ...box, opacity: shareOf(fade) } : box;
    });
    return [...going, ...wanted];
  }

  /** Whether `at` gives another picture a moment later. */
  get isMoving(): boolean {
    return this.#coming.size + this.#going.size > 0;
  }
}
