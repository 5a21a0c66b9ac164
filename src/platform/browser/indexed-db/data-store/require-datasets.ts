import { notFound } from '../../../../data-service/ports/store-refusals.ts';
import type { WriteTransaction } from './schema.ts';

/** @throws StoreError `not-found` for the first that is no dataset of the organization */
export async function requireDatasets(
  transaction: WriteTransaction,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const dataset = await transaction.objectStore('datasets').get(id);
    if (dataset?.organizationId !== organizationId) throw notFound('dataset', id);
  }
}
