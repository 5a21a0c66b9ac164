import type { DatasetClass } from './dataset-classes.ts';
import type { DatasetReport } from './dataset-report.ts';

export interface ExportOptions {
  /** the dataset's name, written by formats that have a field for it */
  readonly datasetName: string;
  /** the first classes, in this order; all others follow, sorted. So a class keeps its index when new labels occur. */
  readonly classes?: readonly DatasetClass[];
  /** RFC 3339; the date of the export, written by formats that have a field for it */
  readonly createdAt?: string;
  /**
   * for formats whose training needs validation images: if `val` is empty, use the `train` images as `val`. Off by
   * default, because the model is then scored on pictures that it was trained on.
   */
  readonly validatesOnTrain?: boolean;
  readonly report: DatasetReport;
}
