import type { OverlayBox } from '../../kit/picture/draw-overlay.ts';

const FADE_MS = 120;
/** The share of a fade that is drawn at once, so that a change is seen in the first picture. */
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
  #appearing = new Map<number, Fade>();
  #vanishing = new Map<number, Fade>();

  /** Sets the boxes to show from now on. `detections`: the results that they were filtered from, compared by identity. */
  follow(detections: unknown, boxes: readonly OverlayBox[], nowMs: number): void {
    const before = new Map(this.#boxes.map((box) => [box.row, box]));
    const wanted = new Set(boxes.map(({ row }) => row));
    const isSame = detections === this.#detections && Math.max(before.size, wanted.size) <= MOST_BOXES;
    this.#detections = detections;
    this.#boxes = boxes;
    if (!isSame) return this.stop();
    for (const box of boxes) {
      this.#vanishing.delete(box.row);
      if (!before.has(box.row)) this.#appearing.set(box.row, { box, startMs: nowMs });
    }
    for (const [row, box] of before) {
      if (wanted.has(row)) continue;
      this.#appearing.delete(row);
      this.#vanishing.set(row, { box, startMs: nowMs });
    }
  }

  /** Shows the wanted boxes as they are. */
  stop(): void {
    this.#appearing.clear();
    this.#vanishing.clear();
  }

  /** The boxes to draw at a time, with their opacity: vanishing ones first, below the others. */
  at(nowMs: number): readonly OverlayBox[] {
    const shareOf = ({ startMs }: Fade): number =>
      Math.min(1, FIRST_STEP + (1 - FIRST_STEP) * Math.max(0, (nowMs - startMs) / FADE_MS));
    for (const fades of [this.#appearing, this.#vanishing])
      for (const [row, fade] of fades) if (shareOf(fade) === 1) fades.delete(row);
    if (!this.isMoving) return this.#boxes;
    const vanishing = [...this.#vanishing.values()].map((fade) => ({ ...fade.box, opacity: 1 - shareOf(fade) }));
    const wanted = this.#boxes.map((box) => {
      const fade = this.#appearing.get(box.row);
      return fade ? { ...box, opacity: shareOf(fade) } : box;
    });
    return [...vanishing, ...wanted];
  }

  /** Whether `at` gives another picture a moment later. */
  get isMoving(): boolean {
    return this.#appearing.size + this.#vanishing.size > 0;
  }
}
