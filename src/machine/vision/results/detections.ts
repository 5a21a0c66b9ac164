/**
 * Detections of one frame before any filter, as columns, so that thousands of frames can be filtered again
 * in one animation frame. Row i is: labels[labelIndex[i]], score[i], box[4i..4i+3]. Order = the model's order.
 */
export interface RawDetections {
  readonly count: number;
  /** Label text by index: the label list, or index numbers as text where the model has none. */
  readonly labels: readonly string[];
  readonly labelIndex: Uint32Array;
  /** float32 scores widened to float64 unrounded; above 1 already divided by 100, below 0 already 0. */
  readonly score: Float64Array;
  /** xMin, yMin, xMax, yMax in whole pixels of the frame that the detector saw. */
  readonly box: Int32Array;
  readonly frameWidthPx: number;
  readonly frameHeightPx: number;
  /** How the first box was read: proportional to the image, or in pixels of the model's input. */
  readonly boxSpace: 'proportional' | 'absolute';
  /** Rows dropped because a coordinate or the category was NaN. */
  readonly droppedNaN: number;
}

/** One detection as the machine reports it. */
export interface Detection {
  readonly label: string;
  readonly score: number;
  /** whole pixels of the frame */
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** All classes of one frame in label order, before any filter. */
export interface RawClassifications {
  readonly labels: readonly string[];
  readonly score: Float64Array;
  /** how many more there are, of lower scores, where only the highest are listed; see `surestClasses` */
  readonly unlisted?: number;
}

export interface Classification {
  readonly label: string;
  readonly score: number;
}
