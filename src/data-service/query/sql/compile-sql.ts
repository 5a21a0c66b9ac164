import { serialize } from 'bson';
import type { QueryValue } from '../query-document.ts';
import { invalidQuery } from '../query-error.ts';
import { compileSelect } from './compile-select.ts';
import { parseSql } from './parse-sql.ts';

/** Values in the stages of a query; those that stand at several places count at each. */
const maxValues = 200_000;

/**
 * The stages that a SELECT means, each a BSON document.
 * Throws QueryError `invalid-query` with the position of what is beyond the subset.
 */
export function compileSql(text: string): Uint8Array[] {
  const stages = compileSelect(parseSql(text));
  let values = 0;
  function count(value: QueryValue): void {
    if (++values > maxValues) throw invalidQuery('The query grows too large: nest fewer comparisons and remainders.');
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) count(part);
  }
  stages.forEach(count);
  return stages.map((stage) => serialize(stage));
}
