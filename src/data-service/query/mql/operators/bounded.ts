import { evalExpr } from 'mingo/core';
import { Lazy, type Iterator } from 'mingo/lazy';
import type { Options } from 'mingo/types';
import { queryTooLarge } from '../../query-error.ts';
import type { OperatorBounds } from '../../query-limits.ts';

type Expression = (document: unknown, expr: unknown, options: Options) => unknown;
type StageOperator = (rows: Iterator, expr: never, options: Options) => Iterator;

/**
 * Limits an operator whose array or text may be longer than its arguments: a few of them in a row could fill any
 * memory.
 */
export function boundedValue(name: string, operator: Expression, bounds: OperatorBounds): Expression {
  return (document, expr, options) => {
    const value = operator(document, expr, options);
    if (typeof value === 'string' || Array.isArray(value)) checkLength(name, value.length, bounds);
    return value;
  };
}

/** $range is limited before it runs, since a single array may exceed the memory. */
export function boundedRange(operator: Expression, bounds: OperatorBounds): Expression {
  return (document, expr, options) => {
    const [start, end, step] = (evalExpr(document, expr, options) as unknown[]).map(Number);
    const length = Math.abs((end! - start!) / (step || 1));
    if (Number.isFinite(length)) checkLength('$range', length, bounds);
    return operator(document, expr, options);
  };
}

/** Limits a stage that may return more documents than it gets. */
export function boundedStage(name: string, operator: StageOperator, bounds: OperatorBounds): StageOperator {
  return (rows, expr, options) => {
    const output = operator(rows, expr, options);
    let count = 0;
    return Lazy(() => {
      const row = output.next();
      if (!row.done && ++count > bounds.stageRows)
        throw queryTooLarge(`${name} makes more than ${bounds.stageRows} documents.`);
      return row;
    });
  };
}

function checkLength(name: string, length: number, bounds: OperatorBounds): void {
  if (length > bounds.valueLength)
    throw queryTooLarge(`${name} makes a value longer than ${bounds.valueLength} elements or characters.`);
}
