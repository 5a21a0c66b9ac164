import type { Steps } from './steps.ts';
import type { ReadTables, Reference, Table, Where } from './tables.ts';

/** `ReadTables.join` for engines that find an entry at once: each by itself. */
export function* joinBySteps<Entry, Field extends string>(
  tables: ReadTables,
  table: Table<Entry, Field>,
  where: Where<NoInfer<Field>>,
  path: readonly Reference[],
): Steps<unknown[][]> {
  const rows: unknown[][] = [];
  for (const entry of yield* tables.list(table, { where })) {
    const row: unknown[] = [entry];
    let last: Table<never> = table as never;
    for (const { by, table: next } of path) {
      const fields: Readonly<Record<string, unknown>> = last.fieldsOf(row.at(-1) as never);
      row.push(yield* tables.find(next as Table<unknown>, { id: fields[by] as string }));
      last = next;
      if (row.at(-1) === null) break;
    }
    if (row.at(-1) !== null) rows.push(row);
  }
  return rows;
}
