import { outputColumns } from './output-columns.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import type { Select, SelectSource } from './parse-select.ts';
import type { SqlExpression } from './sql-expression.ts';

/** Columns that are known to hold times, so that a text beside one is read as a time. */
export type TimeColumns = ReadonlySet<string>;

const readingTimes: TimeColumns = new Set(['time_requested', 'time_received']);

/** The columns of a source that hold times. */
export function timeColumns(source: SelectSource): TimeColumns {
  return source.kind === 'readings' ? readingTimes : timesOfAnswer(source.select);
}

function timesOfAnswer(select: Select): TimeColumns {
  const inner = timeColumns(select.source);
  const times = new Set(select.star ? inner : []);
  for (const { expression, name } of outputColumns(select))
    if (isTime(expression, inner)) times.add(name);
    else times.delete(name);
  return times;
}

function isTime(expression: SqlExpression, times: TimeColumns): boolean {
  switch (expression.kind) {
    case 'path':
      return times.has(expression.path);
    case 'literal':
      return expression.value instanceof Date;
    case 'cast':
      return expression.type === 'timestamp' || expression.type === 'date';
    case 'date-trunc':
      return true;
    case 'coalesce':
      return expression.operands.some((operand) => isTime(operand, times));
    case 'case':
      return [
        ...expression.branches.map(({ then }) => then),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ].some((value) => isTime(value, times));
    case 'aggregate':
      return ['MIN', 'MAX'].includes(expression.name) && isTime(expression.argument!, times);
    default:
      return false;
  }
}

/** A text that stands beside a time means the time it writes. */
export function asTimeBeside(expression: SqlExpression, other: SqlExpression, times: TimeColumns): SqlExpression {
  if (expression.kind !== 'literal' || typeof expression.value !== 'string' || !isTime(other, times)) return expression;
  return { ...expression, value: parseTimestamp(expression.value, expression.at) };
}
