import type { QueryLimits } from '../ports/query-runner.ts';

/** Limits of one query (docs/decisions/queries-in-workers.md). */
export const defaultQueryLimits: QueryLimits = {
  deadlineMs: 30_000,
  maxRows: 100_000,
  maxMemoryBytes: 512 * 1024 * 1024,
};

/** Limits of a query whose answer is sent in parts: its rows are not counted, and it may compute for so long in all. */
export const streamedQueryLimits: QueryLimits = { ...defaultQueryLimits, deadlineMs: 10 * 60_000, maxRows: Infinity };

/** How much one operator may create at once, so that memory is bounded even if the host cannot measure the heap. */
export interface OperatorBounds {
  /** documents that a multiplying stage may return */
  readonly stageRows: number;
  /** elements of an array, or characters of a string */
  readonly valueLength: number;
  /** values inside one document of an answer */
  readonly documentValues: number;
}

/** A document in memory takes some hundred bytes, an element of an array eight. */
export function operatorBounds({ maxMemoryBytes }: QueryLimits): OperatorBounds {
  return {
    stageRows: Math.ceil(maxMemoryBytes / 256),
    valueLength: Math.ceil(maxMemoryBytes / 64),
    documentValues: Math.ceil(maxMemoryBytes / 256),
  };
}
