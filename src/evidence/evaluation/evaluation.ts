/**
 * Evaluation: what detections are worth against truth, as pure functions over typed columns. No DOM, no Node, no
 * inference. Where to find what:
 *
 * - here: `TruthSet`, `DetectionSet`, `EvaluationSpace`, the columns that everything else reads; `build-sets.ts` fills
 *   them image by image, so that a run can be evaluated while it goes on, and its buffers can be transferred
 * - `match/match-boxes.ts`: which detection finds which truth, COCO's rules; `coco/coco-metrics.ts`: the twelve figures
 *   and the average precision of each label; `coco/read-coco.ts`: COCO's truth and result files
 * - `sweep/label-sweep.ts`: every threshold of a label from one matching pass; `sweep/metrics-at.ts`: the figures at
 *   given thresholds; `sweep/confusion-matrix.ts`; `sweep/error-kinds.ts`, as TIDE tells them apart; `filter/`: errors by words
 * - `choose/`: thresholds by goal with intervals, a bound for recall, judging without truth
 * - `compare/`: two sets of results; `other-tools/`: what other tools say of the same boxes, and why
 * - `classification/`: figures of classifiers; `truth-seen.ts`: truth of which a transform cuts a part away
 * - `report/`: one HTML page, JSON and CSV
 *
 * The usual way: matchBoxes → cocoMetrics, and matchBoxes → sweepLabels → metricsAt, chooseThreshold.
 */
export interface EvaluationSpace {
  /** images are numbered in the order of their ids: ties between equal scores hang on it */
  readonly imageCount: number;
  readonly labels: readonly string[];
}

/** Boxes as columns; row i is image[i], label[i], box[4i..4i+3]. The buffers may be transferred. */
export interface BoxColumns {
  readonly count: number;
  /** number of the image, below `imageCount` */
  readonly image: Uint32Array<ArrayBuffer>;
  /** number of the label in `labels` */
  readonly label: Uint32Array<ArrayBuffer>;
  /** x, y, width, height in pixels of the source picture */
  readonly box: Float64Array<ArrayBuffer>;
}

/** The objects that are there. */
export interface TruthSet extends BoxColumns {
  /** COCO's `area` field, by which sizes are told apart; not always width × height */
  readonly area: Float64Array<ArrayBuffer>;
  /** 1: many objects in one box; it may be found again and again and counts neither as found nor as missed */
  readonly crowd: Uint8Array<ArrayBuffer>;
  /** 1: neither found nor missed, where the rule reads this field */
  readonly ignore: Uint8Array<ArrayBuffer>;
}

/** What a model says is there, before any threshold. */
export interface DetectionSet extends BoxColumns {
  /** never NaN */
  readonly score: Float64Array<ArrayBuffer>;
}
