import { alreadyExists } from '../../../data-service/face/stores.ts';
import type { Steps } from '../steps.ts';
import type { Table, WriteTables } from '../tables.ts';

interface Named {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
}

/**
 * Lets no other write give a name of these entries to one of the organization until the end of this write.
 * @param thing as the refusal names it
 * @throws StoreError `already-exists` where another entry than this has the name
 */
export function* claimName<Entry extends Named>(
  tables: WriteTables,
  table: Table<Entry, 'organizationId' | 'name'>,
  thing: string,
  { id, organizationId, name }: Named,
): Steps<void> {
  yield* tables.lock(`names of ${thing}s`, organizationId);
  const other = yield* tables.find(table, { organizationId, name });
  if (other !== null && other.id !== id) throw alreadyExists(thing, name);
}
