import { datasetTag } from '../../../data-service/ports/capture-filter.ts';
import type { Dataset, DatasetStore } from '../../../data-service/ports/dataset-store.ts';
import { changesOf } from '../../../data-service/ports/describe-changes.ts';
import { byName } from '../../../data-service/ports/name-order.ts';
import { StoreError } from '../../../data-service/ports/store-error.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { tagMark } from '../../data-store/capture-marks.ts';
import { schemePlaceOf, schemeTable } from './postgres-label-tables.ts';
import { hasSequence } from './postgres-sequence-store.ts';
import { claimName, EntryTable, namedColumns } from './entry-table.ts';
import type { KeepChanges } from './postgres-audit-store.ts';
import type { BinaryCaptures } from './postgres-binary-captures.ts';
import type { PostgresDatabase, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

export const datasetTable = new EntryTable<Dataset>('datasets', namedColumns);

export function postgresDatasetStore(
  database: PostgresDatabase,
  captures: BinaryCaptures,
  keep: KeepChanges,
): DatasetStore {
  const datasets = datasetTable;
  const keyOf = (organizationId: string, id: string) => ({ organization_id: organizationId, id: textKey(id) });
  /** Waits for the uploads into the dataset that are under way, and keeps others from it. */
  const own = async (statements: Statements, organizationId: string, id: string): Promise<Dataset> => {
    const dataset = await datasets.find(statements, keyOf(organizationId, id), 'FOR UPDATE');
    if (dataset === null) throw notFound('dataset', id);
    return dataset;
  };

  return {
    create: (dataset) =>
      database.write(async (statements) => {
        await claimName(statements, datasets, 'dataset', dataset);
        if (!(await datasets.insert(statements, dataset))) throw alreadyExists('dataset', dataset.id);
        await keep(statements, changesOf('dataset', null, dataset));
      }),
    async get(organizationId, ids) {
      const found = await datasets.list(database, { organization_id: organizationId, id: ids.map(textKey) });
      const byId = new Map(found.map((dataset) => [dataset.id, dataset]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    list: async (organizationId) => (await datasets.list(database, { organization_id: organizationId })).sort(byName),
    rename: (organizationId, id, name) =>
      database.write(async (statements) => {
        const dataset = await own(statements, organizationId, id);
        const renamed = { ...dataset, name };
        await claimName(statements, datasets, 'dataset', renamed);
        await datasets.replace(statements, renamed);
        await keep(statements, changesOf('dataset', dataset, renamed));
      }),
    delete: (organizationId, id) =>
      database.write(async (statements) => {
        const dataset = await own(statements, organizationId, id);
        const isOfOne =
          (await captures.bears(statements, organizationId, tagMark(datasetTag(id)))) ||
          (await hasSequence(statements, organizationId, id));
        if (isOfOne) {
          throw new StoreError('conflict', `Dataset ${id} still has members.`, { subject: id });
        }
        await datasets.delete(statements, keyOf(organizationId, id));
        await schemeTable.delete(statements, schemePlaceOf(organizationId, id));
        await keep(statements, changesOf('dataset', dataset, null));
      }),
  };
}
