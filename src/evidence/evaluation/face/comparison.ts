// Two runs beside each other: what differs, how sure that is.

export { type ChangedBox, compareDetections, type DetectionChanges, keptRows } from '../compare/compare-detections.ts';
export { type FigureDifference, judgeDifferences } from '../compare/compare-figures.ts';
export {
  type ChangedImage,
  changesByImage,
  compareReportText,
  type CompareSubject,
  comparisonJson,
  differenceText,
  figureNames,
} from '../compare/compare-report.ts';
export {
  type ComparedAt,
  compareRuns,
  type MeasuredPair,
  measureRuns,
  type RunBoxes,
  type RunComparison,
} from '../compare/compare-runs.ts';
export {
  changesInWords,
  leftOutInWords,
  rateInWords,
  strangersInWords,
  verdictInWords,
} from '../compare/compare-words.ts';
export { type Agreement, type MatchedThreshold, matchThresholds } from '../compare/match-thresholds.ts';
