import type { QueryDocument, QueryValue } from '../query-document.ts';
import type { ExpressionCompiler } from './compile-expression.ts';
import { expressionKey, partsOf, type SqlExpression } from './sql-expression.ts';
import { sqlError } from './sql-error.ts';

type Aggregate = Extract<SqlExpression, { kind: 'aggregate' }>;

export interface Aggregates {
  /** fields of $group */
  readonly accumulators: QueryDocument;
  /** values of those fields when nothing was grouped */
  readonly ofNothing: QueryDocument;
  /** the aggregate, from those fields */
  readonly value: (aggregate: Aggregate) => QueryValue;
}

/** Gathers the aggregates of some expressions, each different one once. */
export function collectAggregates(expressions: readonly SqlExpression[], compiler: ExpressionCompiler): Aggregates {
  const accumulators: Record<string, QueryValue> = {};
  const ofNothing: Record<string, QueryValue> = {};
  const values = new Map<string, QueryValue>();

  function field(accumulator: QueryValue, empty: QueryValue): string {
    const name = `a${Object.keys(accumulators).length}`;
    accumulators[name] = accumulator;
    ofNothing[name] = empty;
    return `$${name}`;
  }

  function add(aggregate: Aggregate): QueryValue {
    if (aggregate.argument === null) return field({ $sum: 1 }, 0);
    // mingo takes NULL itself for the whole document
    const input = compiler.value(aggregate.argument) ?? { $literal: null };
    const { name, distinct } = aggregate;
    // the least of the different values, and the greatest, are those of all
    if (distinct && name !== 'MIN' && name !== 'MAX') return addDistinct(name, input);
    switch (name) {
      case 'COUNT':
        return field({ $sum: { $cond: [{ $sqlNe: [input, null] }, 1, 0] } }, 0);
      case 'SUM': {
        // where there are no numbers at all, SQL's sum is NULL and the aggregation language's is 0
        const numbers = field({ $sum: { $cond: [{ $isNumber: input }, 1, 0] } }, 0);
        return { $cond: [{ $sqlEq: [numbers, 0] }, null, field({ $sum: input }, 0)] };
      }
      case 'AVG':
        return field({ $avg: input }, null);
      case 'MIN':
        return field({ $min: input }, null);
      case 'MAX':
        return field({ $max: input }, null);
    }
  }

  function addDistinct(name: 'COUNT' | 'SUM' | 'AVG', input: QueryValue): QueryValue {
    const different = field({ $addToSet: input }, []);
    const only = (cond: QueryValue): QueryValue => ({ $filter: { input: different, cond } });
    if (name === 'COUNT') return { $size: only({ $sqlNe: ['$$this', null] }) };
    const numbers = only({ $isNumber: '$$this' });
    if (name === 'AVG') return { $avg: numbers };
    return { $cond: [{ $sqlEq: [{ $size: numbers }, 0] }, null, { $sum: numbers }] };
  }

  function visit(expression: SqlExpression, inside: boolean): void {
    if (expression.kind === 'aggregate') {
      if (inside) throw sqlError('An aggregate cannot stand inside another', expression.at);
      const key = expressionKey(expression);
      for (const part of partsOf(expression)) visit(part, true);
      if (!values.has(key)) values.set(key, add(expression));
      return;
    }
    for (const part of partsOf(expression)) visit(part, inside);
  }

  for (const expression of expressions) visit(expression, false);
  return { accumulators, ofNothing, value: (aggregate) => values.get(expressionKey(aggregate)) };
}
