import type { Iterator } from 'mingo/lazy';
import { invalidQuery } from '../../query-error.ts';

export function $skip(rows: Iterator, expr: unknown): Iterator {
  if (!Number.isSafeInteger(expr) || (expr as number) < 0)
    throw invalidQuery(`$skip takes a whole number of at least 0, not ${JSON.stringify(expr)}.`);
  return rows.drop(expr as number);
}
