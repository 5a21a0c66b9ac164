import { evalExpr } from 'mingo/core';
import type { Options } from 'mingo/types';
import { invalidQuery } from '../../query-error.ts';
import { likePattern } from '../../sql/like-pattern.ts';
import { shownInput } from './telling-input.ts';

/** Wraps a function so that null gives null, and other arguments are checked first. */
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

/** The functions of compiled SQL, with SQL's NULL. Queries cannot name them. */
export const sqlFunctions = {
  $sqlUpper: ofKnown('UPPER', isText, text, (value) => value.toUpperCase()),
  $sqlLower: ofKnown('LOWER', isText, text, (value) => value.toLowerCase()),
  /**
   * Whether a text is like a pattern; the pattern is the same for all documents. A value that is no text is not
   * like anything.
   */
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
 * Rounds half away from zero, by the number's decimal digits: 2.675 to two digits is 2.68, though its double is
 * below the half. Negative digits round before the point.
 */
function roundTo(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  const size = moved(Math.round(moved(Math.abs(value), digits)), -digits);
  return value < 0 && size !== 0 ? -size : size;
}

/** Shifts the decimal point of a number, by its decimal digits. */
function moved(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e') as [string, string?];
  return Number(`${digits}e${Number(exponent) + places}`);
}
