import { evalExpr } from 'mingo/core';
import type { Options } from 'mingo/types';
import { invalidQuery } from '../../query-error.ts';
import { isDocument, type QueryValue } from '../../query-document.ts';

/** MongoDB's order of types; a missing field comes before null. */
function rankOf(value: QueryValue): number {
  if (value === undefined) return 1;
  if (value === null) return 2;
  if (typeof value === 'number') return 3;
  if (typeof value === 'string') return 4;
  if (typeof value === 'boolean') return 8;
  if (Array.isArray(value)) return 6;
  if (value instanceof Uint8Array) return 7;
  if (value instanceof Date) return 9;
  if (value instanceof RegExp) return 10;
  return 5;
}

/** Orders any two values, by type first: -1, 0 or 1. */
function compareValues(a: QueryValue, b: QueryValue): -1 | 0 | 1 {
  const rank = rankOf(a);
  const other = rankOf(b);
  if (rank !== other) return rank < other ? -1 : 1;
  if (Array.isArray(a)) return compareLists(a as readonly QueryValue[], b as readonly QueryValue[]);
  if (a instanceof Uint8Array) return compareLists([...a], [...(b as Uint8Array)]);
  if (a instanceof RegExp) return compareLists([String(a)], [String(b)]);
  if (isDocument(a)) return compareLists(Object.entries(a).flat(), Object.entries(b as object).flat() as QueryValue[]);
  // NaN is less than every other number
  const [x, y] = [orderable(a), orderable(b)];
  return x === y ? 0 : x < y ? -1 : 1;
}

function orderable(value: QueryValue): number | string {
  if (typeof value === 'string') return value;
  const number = Number(value);
  return Number.isNaN(number) ? -Infinity : number;
}

function compareLists(a: readonly QueryValue[], b: readonly QueryValue[]): -1 | 0 | 1 {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
}

const comparing =
  <Answer>(name: string, answer: (order: -1 | 0 | 1) => Answer) =>
  (document: unknown, expr: unknown, options: Options): Answer => {
    const operands = evalExpr(document, expr, options);
    if (!Array.isArray(expr) || !Array.isArray(operands) || operands.length !== 2)
      throw invalidQuery(`${name} takes an array of two expressions.`);
    return answer(compareValues(operands[0] as QueryValue, operands[1] as QueryValue));
  };

/** Expressions that compare across types, as `{$gt: ["$field", null]}` needs it; mingo's know only one type at a time. */
export const comparisonExpressions = {
  $cmp: comparing('$cmp', (order) => order),
  $eq: comparing('$eq', (order) => order === 0),
  $ne: comparing('$ne', (order) => order !== 0),
  $lt: comparing('$lt', (order) => order < 0),
  $lte: comparing('$lte', (order) => order <= 0),
  $gt: comparing('$gt', (order) => order > 0),
  $gte: comparing('$gte', (order) => order >= 0),
};
