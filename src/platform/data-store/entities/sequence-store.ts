import { alreadyExists, changesOf, notFound } from '../../../data-service/face/stores.ts';
import type { SequenceFilter, SequenceStore } from '../../../data-service/face/captures.ts';
import { editedSequences } from '../edited-sequences.ts';
import type { Keep, TableStore } from '../tables.ts';
import { auditRows, datasets, sequences } from './entity-tables.ts';
import { requireDatasets } from './require-datasets.ts';

export function sequenceStore(store: TableStore, keep: Keep): SequenceStore {
  return {
    create: (sequence) =>
      store.write([sequences, auditRows], function* (tables) {
        if (!(yield* tables.insert(sequences, sequence))) throw alreadyExists('sequence', sequence.id);
        yield* keep(tables, changesOf('sequence', null, sequence));
      }),
    get: (organizationId, id) => store.read([sequences], (tables) => tables.find(sequences, { organizationId, id })),
    list: (filter, after, limit) =>
      store.read([sequences], (tables) =>
        tables.list(sequences, {
          where: whereOf(filter),
          order: ['timeCreated', 'id'],
          descending: true,
          ...(after !== null && { before: [after.time, after.id] }),
          limit,
        }),
      ),
    count: (filter) => store.read([sequences], (tables) => tables.count(sequences, whereOf(filter))),
    edit: (organizationId, ids, edit) =>
      store.write([sequences, datasets, auditRows], function* (tables) {
        const found = yield* tables.list(sequences, { where: { organizationId, id: ids } }, 'change');
        const { changed, changes, addedDatasets } = editedSequences(ids, found, edit);
        yield* requireDatasets(tables, organizationId, addedDatasets);
        for (const sequence of changed) yield* tables.replace(sequences, sequence);
        yield* keep(tables, changes);
      }),
    delete: (organizationId, id) =>
      store.write([sequences, auditRows], function* (tables) {
        const sequence = yield* tables.find(sequences, { organizationId, id }, 'change');
        if (sequence === null) throw notFound('sequence', id);
        yield* tables.delete(sequences, { where: { organizationId, id } });
        yield* keep(tables, changesOf('sequence', sequence, null));
      }),
  };
}

const whereOf = ({ organizationId, datasetId }: SequenceFilter) => ({
  organizationId,
  ...(datasetId !== '' && { datasetIds: datasetId }),
});
