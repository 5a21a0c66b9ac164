import type { DatasetReport } from './dataset-report.ts';

export interface ExportOptions {
  /** how the dataset calls itself in formats that have a place for it */
  readonly datasetName: string;
  /** labels that come first, in this order; all others follow sorted. A label keeps its number while others are added behind. */
  readonly labels?: readonly string[];
  /** RFC 3339; written as the day of the export where a format has a place for it */
  readonly createdAt?: string;
  readonly report: DatasetReport;
}

/** Every label that occurs, in an order that does not depend on the order of the pictures. */
export function orderLabels(used: Iterable<string>, first: readonly string[] = []): readonly string[] {
  const known = new Set(first);
  const others = [...new Set(used)].filter((label) => !known.has(label));
  return [...known, ...others.sort((a, b) => (a < b ? -1 : 1))];
}
