import { evalExpr } from 'mingo/core';
import type { Options } from 'mingo/types';
import { QueryError } from '../../../ports/query-runner.ts';
import { invalidQuery } from '../../query-error.ts';

type Expression = (document: unknown, expr: unknown, options: Options) => unknown;

const longestShown = 120;

/**
 * Wraps an operator so that its error contains the failing argument, which has to be found among a million
 * readings. `advice` replaces the operator's own message.
 */
export function tellingInput(name: string, operator: Expression, advice: string | null): Expression {
  return (document, expr, options) => {
    try {
      return operator(document, expr, options);
    } catch (cause) {
      // a RangeError means that the stack or the memory is full
      if (cause instanceof QueryError || cause instanceof RangeError) throw cause;
      const shown = shownInput(evalExpr(document, expr, options));
      throw invalidQuery(`${name} failed on ${shown}: ${advice ?? (cause as Error).message}`, cause);
    }
  };
}

/** A value as a message shows it. */
export function shownInput(value: unknown): string {
  const input = JSON.stringify(value) ?? '';
  return input.length > longestShown ? `${input.slice(0, longestShown)}…` : input;
}
