import { $push } from 'mingo/operators/accumulator';
import type { AnyObject, Options } from 'mingo/types';
import type { QueryValue } from '../../query-document.ts';
import { isScalar, valueKey } from '../value-key.ts';

/**
 * Each different value once, in the order of first occurrence. mingo's own fails on documents with a field
 * `constructor`.
 */
export function $addToSet(documents: AnyObject[], expr: unknown, options: Options): QueryValue[] {
  const different: QueryValue[] = [];
  const scalars = new Set<QueryValue>();
  const keys = new Set<string>();
  for (const value of $push(documents, expr as never, options) as QueryValue[]) {
    const seen: Set<QueryValue> = isScalar(value) ? scalars : keys;
    const key = isScalar(value) ? value : valueKey(value);
    if (seen.has(key)) continue;
    seen.add(key);
    different.push(value);
  }
  return different;
}
