import type { Iterator } from 'mingo/lazy';
import { $redact as redact } from 'mingo/operators/pipeline';
import type { Options } from 'mingo/types';

/** Like mingo's $redact, which leaves `undefined` in the place of pruned documents: those are removed. */
export function $redact(rows: Iterator, expr: unknown, options: Options): Iterator {
  return redact(rows, expr as Record<string, unknown>, options).filter((row) => row !== undefined);
}
