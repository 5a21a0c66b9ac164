/**
 * Shows pictures that the worker drew. A bitmap is transferred without a copy; unlike a canvas that was transferred
 * to the worker, the stage survives the worker's death and shows a picture in the same task as its result.
 */
export class StageCanvas {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: ImageBitmapRenderingContext;

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('bitmaprenderer', { alpha: false });
    if (!context) throw new TypeError('The stage canvas already has a context of another kind.');
    this.#canvas = canvas;
    this.#context = context;
  }

  /** Shows the picture and takes ownership of it. */
  show(picture: ImageBitmap): void {
    if (this.#canvas.width !== picture.width) this.#canvas.width = picture.width;
    if (this.#canvas.height !== picture.height) this.#canvas.height = picture.height;
    this.#context.transferFromImageBitmap(picture);
  }

  /** The picture on the canvas when this is called, at the size at which it is drawn. */
  copy(): Promise<ImageBitmap> {
    return createImageBitmap(this.#canvas);
  }
}
