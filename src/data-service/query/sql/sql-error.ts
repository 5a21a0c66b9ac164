import { invalidQuery } from '../query-error.ts';
import type { QueryError } from '../../ports/query-runner.ts';

/** Where something stands in the text, both from 1; columns count UTF-16 units. */
export interface SqlPosition {
  readonly line: number;
  readonly column: number;
}

/** A refusal of what stands at a position. The query editor finds the position in the message and marks the word there. */
export function sqlError(message: string, at: SqlPosition): QueryError {
  return invalidQuery(`${message} (line ${at.line}, column ${at.column})`);
}
