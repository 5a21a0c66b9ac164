import { beyondDates, dateText } from './sink-values.ts';
import type { FieldHint } from '../../ports/tabular-store.ts';
import { isDocument, type QueryStage, type QueryValue } from '../query-document.ts';

/** Necessary conditions on fields of a sink's documents, from the leading $match stages, for use with an index. */
export function sinkHints(stages: readonly QueryStage[]): readonly FieldHint[] {
  const end = stages.findIndex((stage) => !('$match' in stage));
  return stages.slice(0, end < 0 ? stages.length : end).flatMap(({ $match }) => hintsOf($match));
}

function hintsOf(condition: QueryValue): readonly FieldHint[] {
  if (!isDocument(condition)) return [];
  return Object.entries(condition).flatMap(([key, value]) => {
    if (key === '$and' && Array.isArray(value)) return (value as readonly QueryValue[]).flatMap(hintsOf);
    if (key.startsWith('$')) return [];
    const isOperators = isDocument(value) && Object.keys(value).some((name) => name.startsWith('$'));
    const operators = isOperators ? Object.entries(value) : ([['$eq', value]] as const);
    return operators.flatMap(([operator, operand]) => hintOf(key, operator, operand) ?? []);
  });
}

function hintOf(path: string, operator: string, operand: QueryValue): FieldHint | null {
  const isDate = operand instanceof Date;
  const value = isDate ? dateText(operand) : operand;
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') return null;
  if (Number.isNaN(value) || (isDate && Number.isNaN(operand.getTime()))) return null;
  const bound = { value, inclusive: operator !== '$gt' && operator !== '$lt' };
  switch (operator) {
    case '$eq':
      return { path, from: bound, to: bound };
    case '$gt':
    case '$gte':
      return { path, from: bound, to: isDate ? { value: beyondDates, inclusive: true } : null };
    case '$lt':
    case '$lte':
      return { path, from: null, to: bound };
    default:
      return null;
  }
}
