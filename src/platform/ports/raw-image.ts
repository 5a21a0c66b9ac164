/**
 * All that a vision service says of one image before its filter. Boxes are those of the image itself: traced back
 * through the steps of the transform camera, upright, and cut off at the image's edges.
 */
export interface RawImage {
  /** size of the image as its bytes lie, without a turn by EXIF */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Row i of the boxes is labels[labelIndex[i]], score[i] and box[4i..4i+3], in the model's order. */
  readonly labels: readonly string[];
  readonly labelIndex: Uint32Array;
  readonly score: Float64Array;
  /** x, y, width and height in pixels of the image */
  readonly box: Float64Array;
  /** x and y of the corners of the part that the model saw, in pixels of the image; null: all of it */
  readonly seen: Float64Array | null;
  /** the score of every class, in the order of `labels`; null: the service finds boxes */
  readonly classes: Float64Array | null;
}
