import type { QueryLimits } from '../ports/query-runner.ts';

/** What one query may take (docs/decisions/queries-in-workers.md). */
export const defaultQueryLimits: QueryLimits = {
  deadlineMs: 30_000,
  maxRows: 100_000,
  maxMemoryBytes: 512 * 1024 * 1024,
};

/** What one operator may make at once, so that the memory bound holds also where the host cannot measure the heap. */
export interface OperatorBounds {
  /** documents that a stage which multiplies them may hand on */
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
