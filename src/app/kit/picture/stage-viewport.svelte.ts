import type { PictureSize } from '../../../machine/vision/face/traces.ts';

/** `scale`: stage px per frame pixel; the centre of the stage in frame pixels. */
export interface StageZoom {
  readonly scale: number;
  readonly centreX: number;
  readonly centreY: number;
}

/** Factor of one press of a zoom button or key. */
const zoomStep = 1.25;

/** Converts between frame pixels and stage px. Stage px are CSS pixels from the stage's top left corner. */
export class StageViewport {
  public stageWidthPx = $state(0);
  public stageHeightPx = $state(0);
  public frameWidthPx = $state(0);
  public frameHeightPx = $state(0);
  readonly #fittedScale: (whole: number, frame: PictureSize) => number;
  /** null: the frame is fitted to the stage, whatever the stage's size */
  #zoom = $state.raw<StageZoom | null>(null);

  /** @param fittedScale the scale of a fitted frame that would fill the stage at `whole` */
  constructor(fittedScale: (whole: number, frame: PictureSize) => number = (whole) => whole) {
    this.#fittedScale = fittedScale;
  }

  /** The size in stage px that a fitted frame may fill. */
  readonly #room: PictureSize = $derived.by(() => {
    const marginPx = Math.round(Math.min(24, this.stageWidthPx * 0.03));
    return { widthPx: this.stageWidthPx - 2 * marginPx, heightPx: this.stageHeightPx - 2 * marginPx };
  });

  readonly #fitScale = $derived.by(() => {
    if (!this.frameWidthPx || !this.stageWidthPx) return 1;
    const { widthPx, heightPx } = this.#room;
    const whole = Math.max(0.01, Math.min(widthPx / this.frameWidthPx, heightPx / this.frameHeightPx));
    return this.#fittedScale(whole, { widthPx: this.frameWidthPx, heightPx: this.frameHeightPx });
  });

  /**
   * Rounded to whole px: a picture that was drawn at the size it is shown is then copied to the screen without
   * resampling.
   */
  readonly #fitOffset = $derived.by(() => ({
    xPx: Math.round((this.stageWidthPx - this.frameWidthPx * this.#fitScale) / 2),
    yPx: Math.round((this.stageHeightPx - this.frameHeightPx * this.#fitScale) / 2),
  }));

  // The zoom within limits: the frame's edge may reach the middle of the stage but go no further, so that no frame,
  // not even a smaller one, can be lost from view.
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
  /** For the next frame: the zoom is not limited by the present frame. */
  set zoom(zoom: StageZoom | null) {
    this.#zoom = zoom;
  }

  get fitted(): boolean {
    return this.#zoom === null;
  }

  /**
   * The size in screen px that a picture needs to fill for display without loss; `density`: screen px per stage px.
   * null: full size, as the stage is zoomed.
   */
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

  zoomIn(): void {
    this.zoomTo(this.scale * zoomStep);
  }

  zoomOut(): void {
    this.zoomTo(this.scale / zoomStep);
  }

  /** Zooms and keeps the frame point under (x, y) of the stage where it is. */
  zoomTo(scale: number, x = this.stageWidthPx / 2, y = this.stageHeightPx / 2): void {
    this.hold(this.toFrame(x, y), x, y, scale);
  }

  /** Moves a frame point under (x, y) of the stage, within the limits of the zoom and of the picture's position. */
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
