/**
 * Puts pictures that the worker drew on the stage. A bitmap changes hands without a copy, and unlike a canvas that was
 * transferred to the worker the stage survives the worker, and shows a picture in the same task as its result.
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

  /** Takes the picture over. */
  show(picture: ImageBitmap): void {
    if (this.#canvas.width !== picture.width) this.#canvas.width = picture.width;
    if (this.#canvas.height !== picture.height) this.#canvas.height = picture.height;
    this.#context.transferFromImageBitmap(picture);
  }
}
