// Figures of classifications.

export { classificationMetrics, type ClassifiedSet } from '../classification/classification-metrics.ts';
export { type ClassifiedImage, classifiedSet } from '../classification/classified-set.ts';
export { type ClassSummary, summarizeClasses, summarizeClassified } from '../classification/summarize-classes.ts';
