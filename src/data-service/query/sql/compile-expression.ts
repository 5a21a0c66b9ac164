import type { QueryDocument, QueryValue } from '../query-document.ts';
import { compileCast } from './compile-cast.ts';
import type { Comparison, SqlExpression, TimeUnit } from './sql-expression.ts';
import { sqlError } from './sql-error.ts';
import { asTimeBeside, type TimeColumns } from './time-columns.ts';

/** A value as the aggregation language writes it. */
type Value = QueryValue;
/** Stands for an expression by something already computed (a group key, an aggregate), or leaves it to be compiled. */
export type Substitute = (expression: SqlExpression) => Value;

const operatorOf: Readonly<Record<Comparison, string>> = {
  '=': '$sqlEq',
  '!=': '$sqlNe',
  '<': '$sqlLt',
  '<=': '$sqlLte',
  '>': '$sqlGt',
  '>=': '$sqlGte',
};
const opposite: Readonly<Record<Comparison, Comparison>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};
const arithmetic = { '+': '$add', '-': '$subtract', '*': '$multiply', '/': '$divide', '%': '$mod' } as const;

/**
 * A comparison inside another is written four times, so that a few dozen nested ones would take forever. What people
 * write has some thousand values at most.
 */
const maxValues = 100_000;

/**
 * Compiles expressions with the NULL of SQL. A condition is true, false or NULL, and the aggregation language knows no
 * third: so each condition compiles twice, to "is true" and to "is false", and NULL is neither. Values of different
 * types are not equal, and neither is less.
 */
export class ExpressionCompiler {
  readonly #times: TimeColumns;
  readonly #substitute: Substitute;
  #values = 0;

  /** `times`: the columns that hold times, of what the expressions read */
  constructor(times: TimeColumns, substitute: Substitute = () => undefined) {
    this.#times = times;
    this.#substitute = substitute;
  }

  /** The value; NULL and a missing field both give null. */
  value(expression: SqlExpression): Value {
    if (++this.#values > maxValues) throw sqlError('The query grows too large: nest fewer comparisons', expression.at);
    const computed = this.#substitute(expression);
    if (computed !== undefined) return computed;
    switch (expression.kind) {
      case 'path':
        return `$${expression.path}`;
      case 'literal':
        return typeof expression.value === 'string' ? { $literal: expression.value } : expression.value;
      case 'negate':
        return { $multiply: [-1, this.value(expression.operand)] };
      case 'arithmetic': {
        const operands = [this.value(expression.left), this.value(expression.right)];
        const result = { [arithmetic[expression.operator]]: operands };
        return expression.operator === '%' ? { $cond: [anyNull(operands), null, result] } : result;
      }
      case 'case':
        return {
          $switch: {
            branches: expression.branches.map(({ when, then }) => ({
              case: this.isTrue(when),
              then: this.value(then),
            })),
            default: expression.otherwise ? this.value(expression.otherwise) : null,
          },
        };
      case 'cast':
        return compileCast(this.value(expression.operand), expression.type, expression.safe);
      case 'round':
        return { $sqlRound: [this.value(expression.operand), expression.digits] };
      case 'upper':
        return { $sqlUpper: this.value(expression.operand) };
      case 'lower':
        return { $sqlLower: this.value(expression.operand) };
      case 'date-trunc':
        return { $dateTrunc: { date: this.value(expression.operand), ...truncation(expression.unit) } };
      case 'coalesce':
        return { $ifNull: [...expression.operands.map((operand) => this.value(operand)), null] };
      case 'aggregate':
        throw sqlError(
          'An aggregate cannot stand inside another, or beside columns that are not grouped',
          expression.at,
        );
      case 'is':
        return this.isTrue(expression);
      default:
        return { $cond: [this.isTrue(expression), true, { $cond: [this.isFalse(expression), false, null] }] };
    }
  }

  isTrue(expression: SqlExpression): Value {
    switch (expression.kind) {
      case 'compare':
        return this.#compare(expression.operator, expression.left, expression.right);
      case 'and':
        return { $and: expression.operands.map((operand) => this.isTrue(operand)) };
      case 'or':
        return { $or: expression.operands.map((operand) => this.isTrue(operand)) };
      case 'not':
        return this.isFalse(expression.operand);
      case 'is':
        if (expression.value === null) return { $sqlEq: [this.value(expression.operand), null] };
        return expression.value ? this.isTrue(expression.operand) : this.isFalse(expression.operand);
      case 'in':
        return { $or: expression.list.map((item) => this.#compare('=', expression.operand, item)) };
      case 'like':
        return this.#like(expression.operand, expression.pattern);
      default:
        return { $sqlEq: [this.#truth(expression), true] };
    }
  }

  isFalse(expression: SqlExpression): Value {
    switch (expression.kind) {
      case 'compare':
        return this.#compare(opposite[expression.operator], expression.left, expression.right);
      case 'and':
        return { $or: expression.operands.map((operand) => this.isFalse(operand)) };
      case 'or':
        return { $and: expression.operands.map((operand) => this.isFalse(operand)) };
      case 'not':
        return this.isTrue(expression.operand);
      case 'is':
        return { $not: [this.isTrue(expression)] };
      case 'in':
        return { $and: expression.list.map((item) => this.#compare('!=', expression.operand, item)) };
      case 'like': {
        const isText = { $sqlEq: [{ $type: this.value(expression.operand) }, 'string'] };
        return { $and: [isText, { $not: [this.#like(expression.operand, expression.pattern)] }] };
      }
      default:
        return { $sqlEq: [this.#truth(expression), false] };
    }
  }

  /** What may stand where a condition is wanted: a column, a CASE, a CAST, a COALESCE, TRUE, FALSE or NULL. */
  #truth(expression: SqlExpression): Value {
    if (noCondition.has(expression.kind) || (expression.kind === 'literal' && !isTruth(expression.value)))
      throw sqlError('A condition is expected here', expression.at);
    return this.value(expression);
  }

  #compare(operator: Comparison, left: SqlExpression, right: SqlExpression): Value {
    const operands = [
      this.value(asTimeBeside(left, right, this.#times)),
      this.value(asTimeBeside(right, left, this.#times)),
    ];
    if (operands.includes(null)) return false;
    const known = operands.filter((operand) => !isConstant(operand)).map((operand) => ({ $sqlNe: [operand, null] }));
    return { $and: [...known, { [operatorOf[operator]]: operands }] };
  }

  #like(operand: SqlExpression, pattern: string): Value {
    return { $sqlLike: [this.value(operand), { $literal: pattern }] };
  }
}

const noCondition: ReadonlySet<SqlExpression['kind']> = new Set([
  'arithmetic',
  'negate',
  'round',
  'upper',
  'lower',
  'date-trunc',
]);
const isTruth = (value: unknown): boolean => value === null || typeof value === 'boolean';
const anyNull = (operands: readonly Value[]): Value => ({
  $or: operands.map((operand) => ({ $sqlEq: [operand, null] })),
});

function isConstant(value: Value): boolean {
  return typeof value !== 'object'
    ? typeof value !== 'string'
    : value instanceof Date || '$literal' in (value as QueryDocument);
}

const truncation = (unit: TimeUnit): QueryDocument =>
  unit === 'isoweek' ? { unit: 'week', startOfWeek: 'monday' } : { unit };
