// Which detections a vision service lets through.

export { topClassifications } from '../filter/filter-classifications.ts';
export {
  detectionsAt,
  type Drop,
  dropText,
  type FilteredRows,
  rowsOf,
  writeKeptRows,
} from '../filter/filter-detections.ts';
export { labelInterner } from '../filter/intern-labels.ts';
export { LabelHistograms } from '../filter/label-histograms.ts';
export { binScores, countScore, scoreBinCount, sumBins } from '../filter/score-bins.ts';
export { serviceFilter, type ServiceFilter } from '../filter/service-filter.ts';
export { ruleInForce, type ServiceFilterRule, serviceThresholds, type Thresholds } from '../filter/thresholds.ts';
export { renameLabels, renameResults } from '../rename-labels.ts';
export {
  type Ability,
  buildVisionService,
  hasModel,
  type ProbedService,
  requireClassifier,
  requireDetector,
  requireSomeAbility,
  type RunnableService,
  type VisionModel,
  type VisionService,
} from '../vision-service.ts';
