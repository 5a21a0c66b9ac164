import type { QueryDocument, QueryValue, QueryStage } from '../query-document.ts';
import { ExpressionCompiler } from './compile-expression.ts';
import type { Comparison, SqlExpression } from './sql-expression.ts';
import { asTimeBeside, type TimeColumns } from './time-columns.ts';

const queryOperators: Readonly<Partial<Record<Comparison, string>>> = {
  '=': '$eq',
  '<': '$lt',
  '<=': '$lte',
  '>': '$gt',
  '>=': '$gte',
};
const mirrored: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/**
 * The $match of a WHERE. A comparison of a path with a value becomes a condition on the path, which the storage may
 * answer from an index; whatever is not that simple becomes one $expr.
 */
export function compileWhere(where: SqlExpression | null, times: TimeColumns): QueryStage[] {
  if (where === null) return [];
  const conditions: QueryValue[] = [];
  const others: QueryValue[] = [];
  const compiler = new ExpressionCompiler(times);
  for (const conjunct of conjuncts(where)) {
    const condition = simpleCondition(conjunct, times);
    if (condition) conditions.push(condition);
    else others.push(compiler.isTrue(conjunct));
  }
  if (others.length > 0) conditions.push({ $expr: others.length === 1 ? others[0] : { $and: others } });
  return [{ $match: conditions.length === 1 ? conditions[0] : { $and: conditions } }];
}

function conjuncts(expression: SqlExpression): readonly SqlExpression[] {
  return expression.kind === 'and' ? expression.operands.flatMap(conjuncts) : [expression];
}

function simpleCondition(expression: SqlExpression, times: TimeColumns): QueryDocument | undefined {
  if (expression.kind === 'in') return simpleIn(expression.operand, expression.list, times);
  if (expression.kind !== 'compare') return undefined;
  const { left, right, operator } = expression;
  return left.kind === 'path' ? onPath(left, operator, right, times) : onPath(right, mirrored[operator], left, times);
}

function onPath(
  path: SqlExpression,
  operator: Comparison,
  value: SqlExpression,
  times: TimeColumns,
): QueryDocument | undefined {
  const literal = asTimeBeside(value, path, times);
  const name = queryOperators[operator];
  if (path.kind !== 'path' || literal.kind !== 'literal' || literal.value === null || !name) return undefined;
  return { [path.path]: { [name]: literal.value } };
}

function simpleIn(
  operand: SqlExpression,
  list: readonly SqlExpression[],
  times: TimeColumns,
): QueryDocument | undefined {
  if (operand.kind !== 'path') return undefined;
  const values = list.map((item) => asTimeBeside(item, operand, times));
  // a NULL in the list matches nothing here, and would match a missing field there
  const known = values.filter((item) => item.kind !== 'literal' || item.value !== null);
  if (!known.every((item) => item.kind === 'literal')) return undefined;
  return { [operand.path]: { $in: known.map((item) => item.value) } };
}
