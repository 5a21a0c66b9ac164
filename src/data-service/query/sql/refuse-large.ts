import { partsOf, type SqlExpression } from './sql-expression.ts';
import { sqlError } from './sql-error.ts';

/** A level of an expression becomes at least one of its pipeline, which are refused past a hundred (parse-stages.ts). */
const maxDepth = 100;
/** Parts, where one that BETWEEN or CASE says again counts again. */
const maxParts = 50_000;

/**
 * Refuses an expression that would keep whatever walks through it busy for long, or past the end of its call stack.
 * Throws QueryError `invalid-query`.
 */
export function refuseLarge(expression: SqlExpression): void {
  const known = new Map<SqlExpression, number>();

  function countParts(part: SqlExpression, depth: number): number {
    if (depth > maxDepth) throw sqlError(`The expression is nested deeper than ${maxDepth} levels`, part.at);
    let count = known.get(part);
    if (count !== undefined) return count;
    count = 1;
    for (const inner of partsOf(part)) count += countParts(inner, depth + 1);
    if (count > maxParts)
      throw sqlError('The expression grows too large: nest less in CASE, BETWEEN and comparisons', part.at);
    known.set(part, count);
    return count;
  }

  countParts(expression, 1);
}
