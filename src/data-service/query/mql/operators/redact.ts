import type { Iterator } from 'mingo/lazy';
import { $redact as redact } from 'mingo/operators/pipeline';
import type { Options } from 'mingo/types';

/** Like mingo's $redact, without the empty places that it leaves for pruned documents. */
export function $redact(rows: Iterator, expr: unknown, options: Options): Iterator {
  return redact(rows, expr as Record<string, unknown>, options).filter((row) => row !== undefined);
}
