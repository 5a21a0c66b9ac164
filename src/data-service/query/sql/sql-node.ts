import { invalidQuery } from '../query-error.ts';
import type { QueryError } from '../../ports/query-runner.ts';

/** Where something stands in the text, both from 1. */
export interface SqlPosition {
  readonly line: number;
  readonly column: number;
}

/** A node as the parser makes it, before anything in it is trusted. */
export interface SqlNode {
  readonly type?: string;
  readonly loc?: { readonly start: SqlPosition } | null;
  readonly parentheses?: boolean;
  readonly [field: string]: unknown;
}

export function sqlError(message: string, at: SqlPosition): QueryError {
  return invalidQuery(`${message} (line ${at.line}, column ${at.column})`);
}

export const isNode = (value: unknown): value is SqlNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parser marks most nodes; a literal stands where its surroundings do. */
export function positionOf(node: SqlNode, surroundings: SqlPosition): SqlPosition {
  const start = node.loc?.start;
  return start ? { line: start.line, column: start.column } : surroundings;
}

/** What every node may carry without meaning anything. */
const ignored = new Set(['type', 'loc', 'parentheses', 'tableList', 'columnList', 'collate', 'surround']);

/**
 * Refuses a node that carries more than the named fields: what this compiler does not know it must not drop.
 * A field without a value says nothing.
 */
export function expectOnly(node: SqlNode, fields: readonly string[], at: SqlPosition): void {
  for (const [field, value] of Object.entries(node)) {
    if (ignored.has(field) || fields.includes(field) || isEmpty(value)) continue;
    throw sqlError(`${clauseNames[field] ?? field.toUpperCase()} is not supported`, at);
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);

const clauseNames: Readonly<Record<string, string>> = {
  _next: 'A second SELECT',
  set_op: 'UNION, INTERSECT or EXCEPT',
  ast: 'A query within a query',
  over: 'OVER',
  for_sys_time_as_of: 'FOR SYSTEM_TIME AS OF',
  expr_list: 'EXCEPT or REPLACE',
  join: 'JOIN',
  catalog: 'A table of another database',
};
