import { evalExpr } from 'mingo/core';
import { $dateTrunc as byMingo } from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import { isDocument } from '../../query-document.ts';
import { tellingInput } from './telling-input.ts';

const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

const ofTimes = tellingInput('$dateTrunc', byMingo as never, null);
const ofOthers = tellingInput(
  '$dateTrunc',
  byMingo as never,
  'only a time can be cut; CAST(… AS TIMESTAMP) in SQL, $convert here, makes one of a text.',
);

/** mingo's, but for whole months in UTC: it takes a January before 2000 for the one a year later. */
export function $dateTrunc(document: unknown, expr: unknown, options: Options): unknown {
  const args = evalExpr(document, expr, options);
  if (!isDocument(args) || !(args.date instanceof Date)) return ofOthers(document, expr, options);
  const { date, unit, binSize = 1, timezone } = args;
  const months = typeof unit === 'string' && Object.hasOwn(monthsOf, unit) && monthsOf[unit];
  if (!months || timezone !== undefined || !Number.isSafeInteger(binSize) || (binSize as number) < 1)
    return ofTimes(document, expr, options);
  // bins are counted from 2000 on, as MongoDB does
  const bin = months * (binSize as number);
  const since2000 = (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth();
  return new Date(Date.UTC(2000, Math.floor(since2000 / bin) * bin));
}
