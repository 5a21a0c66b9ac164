import { changesOf, type LabelStore, notFound } from '../../../data-service/face/stores.ts';
import { requireNextVersion } from '../label-rules.ts';
import type { Keep, TableStore } from '../tables.ts';
import { auditRows, datasets, labelSchemes } from './entity-tables.ts';
import { requireDatasets } from './require-datasets.ts';

/** The part of the store of labels that is about the schemes of datasets. */
export type SchemeStore = Pick<LabelStore, 'getScheme' | 'putScheme' | 'deleteScheme'>;

export const schemeStore = (store: TableStore, keep: Keep): SchemeStore => ({
  getScheme: (organizationId, datasetId) =>
    store.read([labelSchemes], (tables) => tables.find(labelSchemes, { organizationId, datasetId })),
  putScheme: (scheme) =>
    store.write([labelSchemes, datasets, auditRows], function* (tables) {
      const { organizationId, datasetId } = scheme;
      yield* requireDatasets(tables, organizationId, [datasetId]);
      // a first one that another call adds meanwhile is seen here, once that has ended
      const isFirst = scheme.version === 1 && (yield* tables.insert(labelSchemes, scheme));
      const before = isFirst ? null : yield* tables.find(labelSchemes, { organizationId, datasetId }, 'change');
      requireNextVersion(before, scheme);
      if (!isFirst) yield* tables.replace(labelSchemes, scheme);
      yield* keep(tables, changesOf('scheme', before, scheme));
    }),
  deleteScheme: (organizationId, datasetId) =>
    store.write([labelSchemes, auditRows], function* (tables) {
      const scheme = yield* tables.find(labelSchemes, { organizationId, datasetId }, 'change');
      if (scheme === null) throw notFound('scheme of dataset', datasetId);
      yield* tables.delete(labelSchemes, { where: { organizationId, datasetId } });
      yield* keep(tables, changesOf('scheme', scheme, null));
    }),
});
