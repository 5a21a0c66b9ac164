import { expect, it } from 'vitest';
import { refuseLarge } from './refuse-large.ts';
import type { SqlExpression } from './sql-expression.ts';

const at = { line: 1, column: 1 };
const leaf: SqlExpression = { kind: 'literal', value: 1, at };
const nested = (levels: number): SqlExpression =>
  levels === 1 ? leaf : { kind: 'negate', operand: nested(levels - 1), at };
/** An expression of as many parts as `leaves`, and one. */
const wide = (leaves: number): SqlExpression => ({
  kind: 'and',
  operands: Array.from({ length: leaves }, () => leaf),
  at,
});

it('takes a hundred levels, no more', () => {
  expect(() => refuseLarge(nested(100))).not.toThrow();
  expect(() => refuseLarge(nested(101))).toThrow('The expression is nested deeper than 100 levels (line 1, column 1)');
});

it('takes 50,000 parts, no more, one that stands at several places counted at each', () => {
  expect(() => refuseLarge(wide(49_999))).not.toThrow();
  expect(() => refuseLarge(wide(50_000))).toThrow('The expression grows too large');
  const doubled = (times: number): SqlExpression => {
    let whole: SqlExpression = leaf;
    for (let i = 0; i < times; i++) whole = { kind: 'and', operands: [whole, whole], at };
    return whole;
  };
  // 2¹⁵ − 1 parts, and 2¹⁶ − 1
  expect(() => refuseLarge(doubled(14))).not.toThrow();
  expect(() => refuseLarge(doubled(15))).toThrow('The expression grows too large');
});
