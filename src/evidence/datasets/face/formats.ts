// Datasets read, written and split.

export { type DatasetFormat, datasetFormats, type ImportFormat, importTitles } from '../dataset-formats.ts';
export { exportDataset } from '../export-dataset.ts';
export { cocoImageFacts } from '../formats/coco/import-coco.ts';
export { isRecord, type JsonRecord, recordsIn } from '../formats/importing.ts';
export { detectFormats, type FormatFindings, importDataset, missingWords } from '../import-dataset.ts';
export { splitGroups, type SplitRatios } from '../split-dataset.ts';
