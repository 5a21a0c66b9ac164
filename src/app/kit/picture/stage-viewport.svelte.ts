import type { PictureSize } from '../../../vision/trace.ts';

/** `scale`: stage px per frame pixel; the centre of the stage in frame pixels. */
export interface StageZoom {
  readonly scale: number;
  readonly centreX: number;
  readonly centreY: number;
}

/** Where the shown frame lies on the stage, and back. Stage px are CSS pixels from the stage's top left corner. */
export class StageViewport {
  stageWidthPx = $state(0);
  stageHeightPx = $state(0);
  frameWidthPx = $state(0);
  frameHeightPx = $state(0);
  /** null = fitted to the stage, whatever its size */
  #zoom = $state.raw<StageZoom | null>(null);

  /** What a fitted frame fills in one direction, stage px. */
  readonly #room: PictureSize = $derived.by(() => {
    const marginPx = Math.round(Math.min(24, this.stageWidthPx * 0.03));
    return { widthPx: this.stageWidthPx - 2 * marginPx, heightPx: this.stageHeightPx - 2 * marginPx };
  });

  readonly #fitScale = $derived.by(() => {
    if (!this.frameWidthPx || !this.stageWidthPx) return 1;
    const { widthPx, heightPx } = this.#room;
    return Math.max(0.01, Math.min(widthPx / this.frameWidthPx, heightPx / this.frameHeightPx));
  });

  /** On whole px: a picture that was drawn as large as it is seen is then copied to the screen, not drawn between its pixels. */
  readonly #fitOffset = $derived.by(() => ({
    xPx: Math.round((this.stageWidthPx - this.frameWidthPx * this.#fitScale) / 2),
    yPx: Math.round((this.stageHeightPx - this.frameHeightPx * this.#fitScale) / 2),
  }));

  // The frame's edge may reach the middle of the stage, no further: it cannot be lost, nor can one that is smaller than the last.
  readonly #held: StageZoom | null = $derived.by(() => this.#zoom && this.#within(this.#zoom));

  #within({ scale, centreX, centreY }: StageZoom): StageZoom {
    return {
      scale,
      centreX: Math.min(this.frameWidthPx, Math.max(0, centreX)),
      centreY: Math.min(this.frameHeightPx, Math.max(0, centreY)),
    };
  }

  get zoom(): StageZoom | null {
    return this.#zoom;
  }
  /** For a frame that is about to come: it is not held to the one that is here. */
  set zoom(zoom: StageZoom | null) {
    this.#zoom = zoom;
  }

  get fitted(): boolean {
    return this.#zoom === null;
  }

  /** How large a picture need be to be seen as it is, px of a screen of so many to a stage px; null = in full: it is zoomed. */
  pictureWithin(density: number): PictureSize | null {
    const { widthPx, heightPx } = this.#room;
    if (!this.fitted || heightPx <= 0) return null;
    return { widthPx: Math.ceil(widthPx * density), heightPx: Math.ceil(heightPx * density) };
  }

  /** Stage px per frame pixel. */
  get scale(): number {
    return this.#zoom?.scale ?? this.#fitScale;
  }

  get offsetXPx(): number {
    return this.#held ? this.stageWidthPx / 2 - this.#held.centreX * this.scale : this.#fitOffset.xPx;
  }

  get offsetYPx(): number {
    return this.#held ? this.stageHeightPx / 2 - this.#held.centreY * this.scale : this.#fitOffset.yPx;
  }

  /** Frame pixel (corner coordinates, fractions allowed) → stage px. */
  toStage(x: number, y: number): { x: number; y: number } {
    return { x: this.offsetXPx + x * this.scale, y: this.offsetYPx + y * this.scale };
  }

  /** Stage px → frame pixel; outside the frame too. */
  toFrame(x: number, y: number): { x: number; y: number } {
    return { x: (x - this.offsetXPx) / this.scale, y: (y - this.offsetYPx) / this.scale };
  }

  fit(): void {
    this.#zoom = null;
  }

  actualSize(): void {
    this.zoomTo(1);
  }

  /** Keeps the frame point under (x, y) of the stage where it is. */
  zoomTo(scale: number, x = this.stageWidthPx / 2, y = this.stageHeightPx / 2): void {
    this.hold(this.toFrame(x, y), x, y, scale);
  }

  /** Brings a frame point under (x, y) of the stage, as far as the limits of the zoom and of the picture's place allow. */
  hold(point: { readonly x: number; readonly y: number }, x: number, y: number, scale: number): void {
    const within = Math.min(64, Math.max(Math.min(0.05, this.#fitScale), scale));
    this.#place(
      within,
      point.x + (this.stageWidthPx / 2 - x) / within,
      point.y + (this.stageHeightPx / 2 - y) / within,
    );
  }

  panBy(xPx: number, yPx: number): void {
    const centre = this.toFrame(this.stageWidthPx / 2 - xPx, this.stageHeightPx / 2 - yPx);
    this.#place(this.scale, centre.x, centre.y);
  }

  #place(scale: number, centreX: number, centreY: number): void {
    this.#zoom = this.#within({ scale, centreX, centreY });
  }
}
