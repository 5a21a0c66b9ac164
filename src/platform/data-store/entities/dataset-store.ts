import {
  alreadyExists,
  changesOf,
  type Dataset,
  type DatasetStore,
  notFound,
  StoreError,
} from '../../../data-service/face/stores.ts';
import { byName } from '../../../data-service/face/captures.ts';
import type { Steps } from '../steps.ts';
import type { Keep, ReadTables, TableStore, WriteTables } from '../tables.ts';
import { claimName } from './claim-name.ts';
import { auditRows, datasets, labelSchemes, sequences } from './entity-tables.ts';
import type { KnownFiles } from './known-files.ts';

export function datasetStore<Writing extends WriteTables>(
  store: TableStore<ReadTables, Writing>,
  files: KnownFiles<Writing>,
  keep: Keep,
): DatasetStore {
  const scope = [datasets, auditRows];
  /** Waits for the uploads into the dataset that are under way, and keeps others from it. */
  function* own(tables: WriteTables, organizationId: string, id: string): Steps<Dataset> {
    const dataset = yield* tables.find(datasets, { organizationId, id }, 'change');
    if (dataset === null) throw notFound('dataset', id);
    return dataset;
  }

  return {
    create: (dataset) =>
      store.write(scope, function* (tables) {
        yield* claimName(tables, datasets, 'dataset', dataset);
        if (!(yield* tables.insert(datasets, dataset))) throw alreadyExists('dataset', dataset.id);
        yield* keep(tables, changesOf('dataset', null, dataset));
      }),
    async get(organizationId, ids) {
      const found = await store.read([datasets], (tables) =>
        tables.list(datasets, { where: { organizationId, id: ids } }),
      );
      const byId = new Map(found.map((dataset) => [dataset.id, dataset]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    async list(organizationId) {
      const found = await store.read([datasets], (tables) => tables.list(datasets, { where: { organizationId } }));
      return found.toSorted(byName);
    },
    rename: (organizationId, id, name) =>
      store.write(scope, function* (tables) {
        const dataset = yield* own(tables, organizationId, id);
        const renamed = { ...dataset, name };
        yield* claimName(tables, datasets, 'dataset', renamed);
        yield* tables.replace(datasets, renamed);
        yield* keep(tables, changesOf('dataset', dataset, renamed));
      }),
    delete: (organizationId, id) =>
      store.write([...scope, sequences, labelSchemes, ...files.scope], function* (tables) {
        const dataset = yield* own(tables, organizationId, id);
        const hasMember =
          (yield* files.areIn(tables, organizationId, id)) ||
          (yield* tables.find(sequences, { organizationId, datasetIds: id })) !== null;
        if (hasMember) throw new StoreError('conflict', `Dataset ${id} still has members.`, { subject: id });
        yield* tables.delete(datasets, { where: { organizationId, id } });
        yield* tables.delete(labelSchemes, { where: { organizationId, datasetId: id } });
        yield* keep(tables, changesOf('dataset', dataset, null));
      }),
  };
}
