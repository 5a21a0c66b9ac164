import { outputColumns } from './output-columns.ts';
import type { Select, SelectSource } from './parse-select.ts';
import { sqlError } from './sql-error.ts';
import { partsOf, type SqlExpression } from './sql-expression.ts';

/**
 * Refuses a path into another query's answer that begins with none of its columns. Readings may have any field. Throws
 * QueryError `invalid-query`.
 */
export function checkColumns(select: Select): void {
  const known = columnsOf(select.source);
  if (known === null) return;
  const check = (expression: SqlExpression, columns: ReadonlySet<string>): void => {
    if (expression.kind === 'path' && !columns.has(expression.path.split('.')[0]!))
      throw sqlError(
        `The query in FROM has no column ${expression.path}; it has ${[...known].join(', ')}`,
        expression.at,
      );
    // an aggregate takes fields of the documents: no column of this answer is there yet
    for (const part of partsOf(expression)) check(part, expression.kind === 'aggregate' ? known : columns);
  };
  const withOwn = new Set([...known, ...outputColumns(select).map(({ name }) => name)]);
  for (const { expression } of select.columns) check(expression, known);
  if (select.where) check(select.where, known);
  for (const key of select.groupBy) check(key, withOwn);
  if (select.having) check(select.having, withOwn);
  for (const { expression } of select.orderBy) check(expression, withOwn);
}

/** The names of a source's columns; null where they cannot be known. */
function columnsOf(source: SelectSource): ReadonlySet<string> | null {
  if (source.kind === 'readings') return null;
  const { select } = source;
  const inner = select.star ? columnsOf(select.source) : [];
  return inner && new Set([...inner, ...outputColumns(select).map(({ name }) => name)]);
}
