// Figures at every threshold, and the kinds of errors.

export { type FilterSubject, parseFilter } from '../filter/parse-filter.ts';
export {
  evaluateBoxes,
  type EvaluationSummary,
  measureBoxes,
  type MeasuredBoxes,
  summarize,
} from '../summary/summarize.ts';
export { confusionMatrix, type ConfusionMatrix } from '../sweep/confusion-matrix.ts';
export { type BoxError, type ErrorKind, errorKinds, type ErrorKinds, errorsByKind } from '../sweep/error-kinds.ts';
export { kindWords } from '../sweep/kind-words.ts';
export { keptAt, type LabelSweep, Outcome, type Rates, sweepLabels } from '../sweep/label-sweep.ts';
export { metricsAt, type MetricsAt } from '../sweep/metrics-at.ts';
export { modelLimit, type ModelLimit } from '../sweep/model-limit.ts';
export { recallBySize, truthBySize } from '../sweep/recall-by-size.ts';
export { scoreHistogram } from '../sweep/score-histogram.ts';
export { settleBoxes } from '../sweep/settle-boxes.ts';
