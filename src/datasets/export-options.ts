import type { DatasetClass } from './dataset-classes.ts';
import type { DatasetReport } from './dataset-report.ts';

export interface ExportOptions {
  /** how the dataset calls itself in formats that have a place for it */
  readonly datasetName: string;
  /** classes that come first, in this order; all others follow sorted. A label keeps its number while others are added behind. */
  readonly classes?: readonly DatasetClass[];
  /** RFC 3339; written as the day of the export where a format has a place for it */
  readonly createdAt?: string;
  /**
   * of formats whose training needs images to validate with: where no picture is in `val`, those of `train` are named for
   * it. Scores then come from pictures that were learned, so nobody is given it who has not asked.
   */
  readonly validatesOnTrain?: boolean;
  readonly report: DatasetReport;
}
