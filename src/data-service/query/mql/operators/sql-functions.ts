import { evalExpr } from 'mingo/core';
import type { Options } from 'mingo/types';
import { invalidQuery } from '../../query-error.ts';
import { likePattern } from '../../sql/like-pattern.ts';
import { shownInput } from './telling-input.ts';

/** A function that gives null for null, and refuses what it does not take. */
const ofKnown =
  <Input>(
    name: string,
    takes: (value: unknown) => value is Input,
    [kind, remedy]: readonly [kind: string, remedy: string],
    answer: (value: Input) => unknown,
  ) =>
  (document: unknown, expr: unknown, options: Options): unknown => {
    const value = evalExpr(document, expr, options);
    if (value === null || value === undefined) return null;
    if (!takes(value)) throw invalidQuery(`${name} takes ${kind}, not ${shownInput(value)}: ${remedy}.`);
    return answer(value);
  };

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const text = ['a text', 'CAST(… AS STRING) makes one'] as const;
const number = ['a number', 'SAFE_CAST(… AS FLOAT64) makes one, or NULL'] as const;

const keptPatterns = 100;
const patterns = new Map<string, (text: string) => boolean>();

/** What compiled SQL computes by, with the NULL of SQL. No query can name them. */
export const sqlFunctions = {
  $sqlUpper: ofKnown('UPPER', isText, text, (value) => value.toUpperCase()),
  $sqlLower: ofKnown('LOWER', isText, text, (value) => value.toLowerCase()),
  /** Whether a text is like a pattern, which is the same for all documents. What is no text is like nothing. */
  $sqlLike: (document: unknown, expr: unknown, options: Options): boolean => {
    const [operand, { $literal: pattern }] = expr as [unknown, { readonly $literal: string }];
    const value = evalExpr(document, operand, options);
    if (typeof value !== 'string') return false;
    let isLike = patterns.get(pattern);
    if (isLike === undefined) {
      if (patterns.size === keptPatterns) patterns.clear();
      patterns.set(pattern, (isLike = likePattern(pattern)));
    }
    return isLike(value);
  },
  $sqlRound: (document: unknown, expr: unknown, options: Options): unknown => {
    const [operand, digits] = expr as [unknown, number];
    return ofKnown('ROUND', isNumber, number, (value) => roundTo(value, digits))(document, operand, options);
  },
};

/**
 * Half away from zero, of the number as it is written: 2.675 to two digits is 2.68, though its double lies below the half.
 * Negative digits round before the point.
 */
function roundTo(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  const size = moved(Math.round(moved(Math.abs(value), digits)), -digits);
  return value < 0 && size !== 0 ? -size : size;
}

/** A number with its point moved, by its decimal digits. */
function moved(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e') as [string, string?];
  return Number(`${digits}e${Number(exponent) + places}`);
}
