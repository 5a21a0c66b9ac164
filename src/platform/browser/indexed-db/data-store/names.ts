import { alreadyExists } from '../../../../data-service/ports/store-refusals.ts';
import type { WriteTransaction } from './schema.ts';

/** All names of an organization, in the index `name`: an array sorts after every text. */
export const namesOf = (organizationId: string): IDBKeyRange =>
  IDBKeyRange.bound([organizationId], [organizationId, []]);

/** @throws StoreError already-exists if something else of the organization has the name */
export async function requireFreeName(
  transaction: WriteTransaction,
  store: 'datasets' | 'pipelines' | 'savedQueries',
  thing: string,
  { id, organizationId, name }: { readonly id: string; readonly organizationId: string; readonly name: string },
): Promise<void> {
  const taken = await transaction.objectStore(store).index('name').getKey([organizationId, name]);
  if (taken !== undefined && taken !== id) throw alreadyExists(thing, name);
}
