import type { SqlPosition } from './sql-error.ts';

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';
export type Arithmetic = '+' | '-' | '*' | '/' | '%';
export type AggregateName = 'COUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX';
export type CastType = 'int' | 'double' | 'string' | 'bool' | 'timestamp' | 'date';
/** What DATE_TRUNC cuts a time to; a week begins on Sunday, one of ISO on Monday. */
export type TimeUnit = 'year' | 'quarter' | 'month' | 'week' | 'isoweek' | 'day' | 'hour' | 'minute' | 'second';
export type LiteralValue = string | number | boolean | Date | null;

interface At {
  readonly at: SqlPosition;
}

/** An expression of the supported subset, each kind with what it needs. BETWEEN and NOT … are already spelled out. */
export type SqlExpression = At &
  (
    | { readonly kind: 'path'; readonly path: string }
    | { readonly kind: 'literal'; readonly value: LiteralValue }
    | {
        readonly kind: 'compare';
        readonly operator: Comparison;
        readonly left: SqlExpression;
        readonly right: SqlExpression;
      }
    | { readonly kind: 'and' | 'or'; readonly operands: readonly SqlExpression[] }
    | { readonly kind: 'not'; readonly operand: SqlExpression }
    | { readonly kind: 'is'; readonly operand: SqlExpression; readonly value: null | boolean }
    | { readonly kind: 'in'; readonly operand: SqlExpression; readonly list: readonly SqlExpression[] }
    | { readonly kind: 'like'; readonly operand: SqlExpression; readonly pattern: string }
    | {
        readonly kind: 'arithmetic';
        readonly operator: Arithmetic;
        readonly left: SqlExpression;
        readonly right: SqlExpression;
      }
    | { readonly kind: 'negate'; readonly operand: SqlExpression }
    | {
        readonly kind: 'case';
        readonly branches: readonly { readonly when: SqlExpression; readonly then: SqlExpression }[];
        readonly otherwise: SqlExpression | null;
      }
    | { readonly kind: 'cast'; readonly operand: SqlExpression; readonly type: CastType; readonly safe: boolean }
    /** to so many digits behind the point, or before it where they are negative */
    | { readonly kind: 'round'; readonly operand: SqlExpression; readonly digits: number }
    | { readonly kind: 'upper' | 'lower'; readonly operand: SqlExpression }
    | { readonly kind: 'date-trunc'; readonly operand: SqlExpression; readonly unit: TimeUnit }
    | { readonly kind: 'coalesce'; readonly operands: readonly SqlExpression[] }
    | {
        readonly kind: 'aggregate';
        readonly name: AggregateName;
        readonly distinct: boolean;
        /** null is the star of COUNT(*) */
        readonly argument: SqlExpression | null;
      }
  );

/** The direct parts of an expression. */
export function partsOf(expression: SqlExpression): readonly SqlExpression[] {
  switch (expression.kind) {
    case 'path':
    case 'literal':
      return [];
    case 'compare':
    case 'arithmetic':
      return [expression.left, expression.right];
    case 'and':
    case 'or':
    case 'coalesce':
      return expression.operands;
    case 'not':
    case 'is':
    case 'like':
    case 'negate':
    case 'cast':
    case 'round':
    case 'upper':
    case 'lower':
    case 'date-trunc':
      return [expression.operand];
    case 'in':
      return [expression.operand, ...expression.list];
    case 'case':
      return [
        ...expression.branches.flatMap(({ when, then }) => [when, then]),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ];
    case 'aggregate':
      return expression.argument ? [expression.argument] : [];
  }
}

/** The same expression with each of its direct parts replaced. */
export function mapParts(expression: SqlExpression, map: (part: SqlExpression) => SqlExpression): SqlExpression {
  switch (expression.kind) {
    case 'path':
    case 'literal':
      return expression;
    case 'compare':
    case 'arithmetic':
      return { ...expression, left: map(expression.left), right: map(expression.right) };
    case 'and':
    case 'or':
    case 'coalesce':
      return { ...expression, operands: expression.operands.map(map) };
    case 'not':
    case 'is':
    case 'like':
    case 'negate':
    case 'cast':
    case 'round':
    case 'upper':
    case 'lower':
    case 'date-trunc':
      return { ...expression, operand: map(expression.operand) };
    case 'in':
      return { ...expression, operand: map(expression.operand), list: expression.list.map(map) };
    case 'case':
      return {
        ...expression,
        branches: expression.branches.map(({ when, then }) => ({ when: map(when), then: map(then) })),
        otherwise: expression.otherwise && map(expression.otherwise),
      };
    case 'aggregate':
      return { ...expression, argument: expression.argument && map(expression.argument) };
  }
}

/** The first aggregate inside, or undefined. */
export function findAggregate(expression: SqlExpression): SqlExpression | undefined {
  if (expression.kind === 'aggregate') return expression;
  for (const part of partsOf(expression)) {
    const found = findAggregate(part);
    if (found) return found;
  }
  return undefined;
}

/** Equal text for equal expressions, wherever they stand. */
export function expressionKey(expression: SqlExpression): string {
  return JSON.stringify(expression, (name, value: unknown) => (name === 'at' ? undefined : value));
}
