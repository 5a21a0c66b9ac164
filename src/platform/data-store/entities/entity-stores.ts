import type { ChangingStores } from '../../../data-service/face/stores.ts';
import type { Keep, ReadTables, TableStore, WriteTables } from '../tables.ts';
import { accessStore } from './access-store.ts';
import { datasetStore } from './dataset-store.ts';
import type { KnownFiles } from './known-files.ts';
import { savedQueryStore } from './saved-query-store.ts';
import { sequenceStore } from './sequence-store.ts';

/** The stores of entities that every engine has, over its tables. */
export const entityStores = <Writing extends WriteTables>(
  store: TableStore<ReadTables, Writing>,
  files: KnownFiles<Writing>,
  keep: Keep,
) =>
  ({
    access: accessStore(store, keep),
    datasets: datasetStore(store, files, keep),
    savedQueries: savedQueryStore(store, keep),
    sequences: sequenceStore(store, keep),
  }) satisfies Partial<ChangingStores>;
