import { $group, $sort } from 'mingo/operators/pipeline';
import type { Iterator } from 'mingo/lazy';
import type { Options } from 'mingo/types';
import { compare } from 'mingo/util';
import { isDocument, type QueryValue } from '../../query-document.ts';
import { invalidQuery } from '../../query-error.ts';

/**
 * $bucket as MongoDB describes it: a $group by the boundary below a value, sorted. (mingo's own also returns empty
 * buckets.)
 */
export function $bucket(rows: Iterator, expr: unknown, options: Options): Iterator {
  if (!isDocument(expr) || !('groupBy' in expr)) throw invalidQuery('$bucket takes a document with a groupBy.');
  const { groupBy, boundaries } = expr;
  if (!Array.isArray(boundaries) || boundaries.length < 2)
    throw invalidQuery('$bucket: boundaries is an array of at least two values.');
  const bounds = boundaries as QueryValue[];
  if (bounds.some((bound, i) => i > 0 && compare(bounds[i - 1], bound) >= 0))
    throw invalidQuery('$bucket: the boundaries must ascend.');
  const branches = bounds
    .slice(0, -1)
    .map((bound, i) => ({
      case: { $and: [{ $gte: [groupBy, bound] }, { $lt: [groupBy, bounds[i + 1]] }] },
      then: bound,
    }));
  const outside = 'default' in expr ? expr.default : { $function: { body: refuseOutside } };
  const output = isDocument(expr.output) ? expr.output : { count: { $sum: 1 } };
  const grouped = $group(rows, { _id: { $switch: { branches, default: outside } }, ...output }, options);
  return $sort(grouped, { _id: 1 }, options);
}

function refuseOutside(): never {
  throw invalidQuery('$bucket: a value lies outside the boundaries, and there is no default for it.');
}
