import { Lazy, type Iterator } from 'mingo/lazy';
import { invalidQuery } from '../../query-error.ts';

/** Like mingo's $limit, but stops asking its source once it has enough: mingo's own reads it to the end. */
export function $limit(rows: Iterator, expr: unknown): Iterator {
  if (!Number.isSafeInteger(expr) || (expr as number) < 1)
    throw invalidQuery(`$limit takes a whole number of at least 1, not ${JSON.stringify(expr)}.`);
  let left = expr as number;
  return Lazy(() => {
    if (left === 0) return { done: true };
    const row = rows.next();
    if (!row.done) left--;
    return row;
  });
}
