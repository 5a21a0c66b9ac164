import { notFound } from '../../../data-service/face/stores.ts';
import type { Steps } from '../steps.ts';
import type { WriteTables } from '../tables.ts';
import { datasets } from './entity-tables.ts';

/**
 * Keeps datasets from being deleted until the end of the write that makes captures or sequences their members: whoever deletes one waits
 * for that, and sees its members then.
 * @throws StoreError `not-found` naming the first that is no dataset of the organization
 */
export function* requireDatasets(tables: WriteTables, organizationId: string, ids: readonly string[]): Steps<void> {
  if (ids.length === 0) return;
  const found = yield* tables.list(datasets, { where: { organizationId, id: ids } }, 'deletion');
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw notFound('dataset', missing);
}
