import { outputColumns } from './output-columns.ts';
import type { Select } from './parse-select.ts';
import { partsOf, type SqlExpression } from './sql-expression.ts';

/**
 * Lists the dotted paths that a query asks of the readings themselves, not those that it computes.
 * @param select of `parseSql`
 * @returns each path once, in the order of the query's clauses
 * @example
 * import { parseSql } from './parse-sql.ts';
 * askedFields(parseSql('SELECT data.kg AS kg FROM readings WHERE data.open')); // => ['data.kg', 'data.open']
 */
export function askedFields(select: Select): readonly string[] {
  if (select.source.kind === 'select') return askedFields(select.source.select);
  const fields = new Set<string>();
  const own = new Set(outputColumns(select).map(({ name }) => name));
  const none: ReadonlySet<string> = new Set();
  const collect = (expression: SqlExpression, columns: ReadonlySet<string>): void => {
    if (expression.kind === 'path' && !columns.has(expression.path)) fields.add(expression.path);
    // an aggregate takes fields of the documents: no column of this answer is there yet
    for (const part of partsOf(expression)) collect(part, expression.kind === 'aggregate' ? none : columns);
  };
  for (const { expression } of select.columns) collect(expression, none);
  if (select.where) collect(select.where, none);
  for (const key of select.groupBy) collect(key, own);
  if (select.having) collect(select.having, own);
  for (const { expression } of select.orderBy) collect(expression, own);
  return [...fields];
}
