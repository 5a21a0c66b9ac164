import type { Select } from './parse-select.ts';
import { sqlError } from './sql-error.ts';
import type { SqlExpression } from './sql-expression.ts';

export interface NamedColumn {
  readonly expression: SqlExpression;
  readonly name: string;
}

/**
 * The columns of an answer that stand beside its star. Those without a name are f0_, f1_ and so on, as BigQuery names
 * them. Throws QueryError `invalid-query` where two have one name.
 */
export function outputColumns({ columns }: Pick<Select, 'columns'>): NamedColumn[] {
  const named = columns.map(({ expression, name }, index) => ({ expression, name: name ?? `f${index}_` }));
  for (const [index, { expression, name }] of named.entries())
    if (named.findIndex((other) => other.name === name) < index)
      throw sqlError(`Two columns are named ${name}: give one another name with AS`, expression.at);
  return named;
}
