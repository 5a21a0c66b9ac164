import type { BinaryRecord } from '../../../data-service/ports/stored-captures.ts';
import { datasetTag, type BinaryFilter } from '../../../data-service/ports/capture-filter.ts';
import type { Dataset, DatasetStore } from '../../../data-service/ports/dataset-store.ts';
import { changesOf } from '../../../data-service/ports/describe-changes.ts';
import { StoreError } from '../../../data-service/ports/store-error.ts';
import { tagMark } from '../../data-store/capture-marks.ts';
import { byName } from '../../../data-service/ports/name-order.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { EntryTable } from './entry-table.ts';
import type { KeepChanges } from './sqlite-audit-store.ts';
import type { SqliteCaptures } from './sqlite-captures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export const datasetTable = (database: SqliteDatabase): EntryTable<Dataset> =>
  new EntryTable(database, 'datasets', ({ id, organizationId, name }) => ({
    id,
    organization_id: organizationId,
    name,
  }));

/** @throws StoreError `not-found` for the first that is no dataset of the organization */
export function requireDatasets(database: SqliteDatabase, organizationId: string, ids: readonly string[]): void {
  const sql = 'SELECT 1 FROM datasets WHERE id = ? AND organization_id = ?';
  for (const id of ids) if (!database.get(sql, id, organizationId)) throw notFound('dataset', id);
}

export function sqliteDatasetStore(
  database: SqliteDatabase,
  captures: SqliteCaptures<BinaryRecord, BinaryFilter>,
  keep: KeepChanges,
): DatasetStore {
  const datasets = datasetTable(database);
  const own = (organizationId: string, id: string): Dataset => {
    const dataset = datasets.find({ id, organization_id: organizationId });
    if (dataset === undefined) throw notFound('dataset', id);
    return dataset;
  };
  const requireFreeName = ({ id, organizationId, name }: Dataset): void => {
    const other = datasets.find({ organization_id: organizationId, name });
    if (other !== undefined && other.id !== id) throw alreadyExists('dataset', name);
  };

  return {
    create: (dataset) =>
      database.write(() => {
        requireFreeName(dataset);
        datasets.insert(dataset);
        keep(changesOf('dataset', null, dataset));
      }),
    get: (organizationId, ids) =>
      database.read(() => ids.flatMap((id) => datasets.find({ id, organization_id: organizationId }) ?? [])),
    list: (organizationId) => database.read(() => datasets.list({ organization_id: organizationId }).sort(byName)),
    rename: (organizationId, id, name) =>
      database.write(() => {
        const dataset = own(organizationId, id);
        const renamed = { ...dataset, name };
        requireFreeName(renamed);
        datasets.replace(renamed, { id });
        keep(changesOf('dataset', dataset, renamed));
      }),
    delete: (organizationId, id) =>
      database.write(() => {
        const dataset = own(organizationId, id);
        const hasSequence = 'SELECT 1 FROM sequence_members WHERE organization_id = ? AND dataset_id = ? LIMIT 1';
        if (captures.bears(organizationId, tagMark(datasetTag(id))) || database.get(hasSequence, organizationId, id)) {
          throw new StoreError('conflict', `Dataset ${id} still has members.`, { subject: id });
        }
        datasets.delete({ id });
        database.run('DELETE FROM label_schemes WHERE organization_id = ? AND dataset_id = ?', organizationId, id);
        keep(changesOf('dataset', dataset, null));
      }),
  };
}
