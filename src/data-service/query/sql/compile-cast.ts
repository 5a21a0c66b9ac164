import type { QueryValue } from '../query-document.ts';
import type { CastType } from './sql-expression.ts';

/** What a CAST is, as the aggregation language writes it; `safe` gives null where there is no such value. */
export function compileCast(input: QueryValue, type: CastType, safe: boolean): QueryValue {
  const convert = (to: string): QueryValue => ({ $convert: { input, to, ...(safe ? { onError: null } : {}) } });
  switch (type) {
    case 'string':
      return convert('string');
    case 'double':
      return convert('double');
    case 'timestamp':
      return convert('date');
    case 'date':
      return { $dateTrunc: { date: convert('date'), unit: 'day' } };
    case 'int': {
      // half away from zero, as BigQuery rounds
      const number = convert('double');
      return { $trunc: [{ $add: [number, { $cond: [{ $sqlLt: [number, 0] }, -0.5, 0.5] }] }, 0] };
    }
    case 'bool': {
      const text = { $toLower: input };
      const isText = { $sqlEq: [{ $type: input }, 'string'] };
      return {
        $switch: {
          branches: [
            { case: { $and: [isText, { $sqlEq: [text, 'true'] }] }, then: true },
            { case: { $and: [isText, { $sqlEq: [text, 'false'] }] }, then: false },
            // any other text is no truth value: converting it to a number says so
            { case: isText, then: { $sqlNe: [convert('double'), convert('double')] } },
          ],
          default: convert('bool'),
        },
      };
    }
  }
}
