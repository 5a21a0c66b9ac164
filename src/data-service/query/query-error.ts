import { QueryError } from '../ports/query-runner.ts';

/** A refusal of the query as written. */
export function invalidQuery(message: string, cause?: unknown): QueryError {
  return new QueryError('invalid-query', message, cause === undefined ? undefined : { cause });
}

/** The end of a query that would take more memory or rows than it may. */
export function queryTooLarge(message: string, cause?: unknown): QueryError {
  return new QueryError('resource-exhausted', message, cause === undefined ? undefined : { cause });
}
