import { Context } from 'mingo/core';
import * as accumulator from 'mingo/operators/accumulator';
import * as expression from 'mingo/operators/expression';
import * as stage from 'mingo/operators/pipeline';
import * as projection from 'mingo/operators/projection';
import * as query from 'mingo/operators/query';
import * as window from 'mingo/operators/window';
import type { OperatorBounds } from '../query-limits.ts';
import { allowedOperators, allowedStages } from './allowed-operators.ts';
import { $addToSet } from './operators/add-to-set.ts';
import { boundedRange, boundedStage, boundedValue } from './operators/bounded.ts';
import { comparisonExpressions } from './operators/comparison.ts';
import { $redact } from './operators/redact.ts';
import { $bucket } from './operators/bucket.ts';
import { $count } from './operators/count.ts';
import { $dateTrunc } from './operators/date-trunc.ts';
import { $geoNear } from './operators/geo-near.ts';
import { $limit } from './operators/limit.ts';
import { percentileAccumulators, percentileExpressions } from './operators/percentile.ts';
import { $sample } from './operators/sample.ts';
import { sqlFunctions } from './operators/sql-functions.ts';
import { $skip } from './operators/skip.ts';
import { tellingInput } from './operators/telling-input.ts';

type Operators = Record<`$${string}`, never>;

/** Expressions whose value may be larger than their arguments. */
const growing = ['$concat', '$concatArrays', '$setUnion', '$replaceAll', '$zip', '$objectToArray', '$split'] as const;

/** Expressions that fail on values that readings may contain: a text among numbers. */
const arithmetic = ['$add', '$subtract', '$multiply', '$divide', '$mod'] as const;
const insteadOfConverting = 'the one cannot be made the other; for null instead give onError, or SAFE_CAST in SQL.';

/** The operators of a query: mingo's, without those that run scripts or reach elsewhere, with some bounded or replaced. */
export function mingoContext(bounds: OperatorBounds): Context {
  const bounded = Object.fromEntries(
    growing.map((name) => [name, boundedValue(name, expression[name] as never, bounds)]),
  );
  const telling = Object.fromEntries(
    arithmetic.map((name) => [name, tellingInput(name, expression[name] as never, null)]),
  );
  return Context.init({
    accumulator: {
      ...only(allowedOperators, accumulator),
      ...percentileAccumulators,
      ...deviations,
      ...singles,
      $addToSet,
    } as unknown as Operators,
    expression: {
      ...only(allowedOperators, expression),
      ...percentileExpressions,
      ...comparisonExpressions,
      ...sqlComparisons,
      ...sqlFunctions,
      ...bounded,
      ...telling,
      $dateTrunc,
      $convert: tellingInput('$convert', expression.$convert as never, insteadOfConverting),
      $range: boundedRange(expression.$range as never, bounds),
      // $setWindowFields, $fill and $bucket call functions through it; a query that names it was refused before.
      $function: applyFunction,
    } as unknown as Operators,
    pipeline: {
      ...only(allowedStages, stage),
      // only compiled SQL uses it; a query that names it was refused before
      $facet: stage.$facet,
      $bucket,
      $count,
      $geoNear,
      $limit,
      $redact,
      $sample,
      $skip,
      $densify: boundedStage('$densify', stage.$densify as never, bounds),
      $unwind: boundedStage('$unwind', stage.$unwind as never, bounds),
    } as unknown as Operators,
    projection: only(allowedOperators, projection),
    query: only(allowedOperators, query),
    window: only(allowedOperators, window),
  });
}

/**
 * The comparisons of compiled SQL: values of one type only, and a missing field is null. Queries cannot name them.
 */
const sqlComparisons = {
  $sqlEq: expression.$eq,
  $sqlNe: expression.$ne,
  $sqlLt: expression.$lt,
  $sqlLte: expression.$lte,
  $sqlGt: expression.$gt,
  $sqlGte: expression.$gte,
};

/** $top and $bottom return one value; mingo's return an array with it. */
const singles = Object.fromEntries(
  (['$top', '$bottom'] as const).map((name) => [
    name,
    (...args: Parameters<typeof accumulator.$top>) => (accumulator[name](...args) as unknown[])[0] ?? null,
  ]),
);

/** MongoDB's deviation of too few numbers is null; mingo's is NaN. */
const deviations = Object.fromEntries(
  (['$stdDevPop', '$stdDevSamp'] as const).map((name) => [
    name,
    (...args: Parameters<typeof accumulator.$stdDevPop>) => {
      const deviation = accumulator[name](...args);
      return Number.isNaN(deviation) ? null : deviation;
    },
  ]),
);

function only(allowed: ReadonlySet<string>, operators: object): Operators {
  return Object.fromEntries(Object.entries(operators).filter(([name]) => allowed.has(name))) as Operators;
}

/** Only an operator can have passed the body: a function cannot cross the wire. */
function applyFunction(document: unknown, expr: { readonly body: unknown }): unknown {
  if (typeof expr.body !== 'function') throw new TypeError('$function is not allowed: queries run no scripts.');
  return (expr.body as (value: unknown) => unknown)(document);
}
