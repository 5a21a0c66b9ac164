import type { VisitSource } from '../../../platform/ports/source-store.ts';

/** Which sources a reload will restore. */
export interface CopyReport {
  readonly copied: readonly VisitSource[];
  /** number of sources still to be copied */
  readonly waiting: number;
  /** sources without a copy whose files the browser can open again, if the person allows it */
  readonly onRequest: readonly VisitSource[];
  /** sources without a copy, which a reload loses */
  readonly leftOut: readonly VisitSource[];
  readonly budgetBytes: number;
  /** why copies cannot be stored, apart from the budget; '' if they can */
  readonly trouble: string;
}

/** The report of an empty bench. */
export const NO_COPIES: CopyReport = {
  copied: [],
  waiting: 0,
  onRequest: [],
  leftOut: [],
  budgetBytes: 0,
  trouble: '',
};
