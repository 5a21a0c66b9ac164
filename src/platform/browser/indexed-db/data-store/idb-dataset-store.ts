import type { BinaryRecord } from '../../../../data-service/ports/stored-captures.ts';
import { datasetTag, type BinaryFilter } from '../../../../data-service/ports/capture-filter.ts';
import type { Dataset, DatasetStore } from '../../../../data-service/ports/dataset-store.ts';
import { changesOf } from '../../../../data-service/ports/describe-changes.ts';
import { StoreError } from '../../../../data-service/ports/store-error.ts';
import { tagMark } from '../../../data-store/capture-marks.ts';
import { notFound } from '../../../../data-service/ports/store-refusals.ts';
import type { KeepChanges } from './idb-audit-store.ts';
import type { IdbCaptures } from './idb-captures.ts';
import type { IdbDatabase } from './idb-database.ts';
import { membersOf } from './idb-sequence-store.ts';
import { namesOf, requireFreeName } from './names.ts';
import type { WriteTransaction } from './schema.ts';

export function idbDatasetStore(
  database: IdbDatabase,
  captures: IdbCaptures<BinaryRecord, BinaryFilter>,
  keep: KeepChanges,
): DatasetStore {
  const own = async (transaction: WriteTransaction, organizationId: string, id: string): Promise<Dataset> => {
    const dataset = await transaction.objectStore('datasets').get(id);
    if (dataset?.organizationId !== organizationId) throw notFound('dataset', id);
    return dataset;
  };

  return {
    create: (dataset) =>
      database.write(['datasets', 'auditRows'], async (transaction) => {
        await requireFreeName(transaction, 'datasets', 'dataset', dataset);
        await transaction.objectStore('datasets').add(dataset);
        await keep(transaction, changesOf('dataset', null, dataset));
      }),
    get: (organizationId, ids) =>
      database.read(['datasets'], async (transaction) => {
        const found = await Promise.all(ids.map((id) => transaction.objectStore('datasets').get(id)));
        return found.filter((dataset) => dataset?.organizationId === organizationId) as Dataset[];
      }),
    list: (organizationId) =>
      database.read(['datasets'], (transaction) =>
        transaction.objectStore('datasets').index('name').getAll(namesOf(organizationId)),
      ),
    rename: (organizationId, id, name) =>
      database.write(['datasets', 'auditRows'], async (transaction) => {
        const dataset = await own(transaction, organizationId, id);
        const renamed = { ...dataset, name };
        await requireFreeName(transaction, 'datasets', 'dataset', renamed);
        await transaction.objectStore('datasets').put(renamed);
        await keep(transaction, changesOf('dataset', dataset, renamed));
      }),
    delete: (organizationId, id) =>
      database.write(
        ['datasets', 'sequences', 'labelSchemes', 'binary', 'streams', 'auditRows'],
        async (transaction) => {
          const dataset = await own(transaction, organizationId, id);
          const isOfOne =
            (await captures.bears(transaction, organizationId, tagMark(datasetTag(id)))) ||
            (await transaction.objectStore('sequences').index('members').count(membersOf(organizationId, id))) > 0;
          if (isOfOne) {
            throw new StoreError('conflict', `Dataset ${id} still has members.`, { subject: id });
          }
          await transaction.objectStore('datasets').delete(id);
          await transaction.objectStore('labelSchemes').delete([organizationId, id]);
          await keep(transaction, changesOf('dataset', dataset, null));
        },
      ),
  };
}
