import type { Sequence, SequenceFilter, SequenceStore } from '../../../../data-service/ports/sequence-store.ts';
import { changesOf } from '../../../../data-service/ports/describe-changes.ts';
import { alreadyExists, notFound } from '../../../../data-service/ports/store-refusals.ts';
import { editedSequences } from '../../../data-store/edited-sequences.ts';
import type { KeepChanges } from './idb-audit-store.ts';
import type { IdbDatabase } from './idb-database.ts';
import { readRange } from './read-range.ts';
import { requireDatasets } from './require-datasets.ts';
import type { DataSchema, ReadTransaction, SequenceMember, WriteTransaction } from './schema.ts';

/** All members of a dataset, in the index `members`: an array sorts after every number. */
export const membersOf = (organizationId: string, datasetId: string): IDBKeyRange =>
  rangeBelow([organizationId, datasetId]);

export function idbSequenceStore(database: IdbDatabase, keep: KeepChanges): SequenceStore {
  const own = async (
    transaction: ReadTransaction | WriteTransaction,
    organizationId: string,
    id: string,
  ): Promise<Sequence | null> => {
    const found = await transaction.objectStore('sequences').get(id);
    return found?.sequence.organizationId === organizationId ? found.sequence : null;
  };

  return {
    create: (sequence) =>
      database.write(['sequences', 'auditRows'], async (transaction) => {
        const sequences = transaction.objectStore('sequences');
        if ((await sequences.count(sequence.id)) > 0) throw alreadyExists('sequence', sequence.id);
        await sequences.add(stored(sequence));
        await keep(transaction, changesOf('sequence', null, sequence));
      }),
    get: (organizationId, id) => database.read(['sequences'], (transaction) => own(transaction, organizationId, id)),
    list: (filter, after, limit) =>
      database.read(['sequences'], async (transaction) => {
        const { index, place } = listed(filter);
        const keys =
          after === null ? rangeBelow(place) : IDBKeyRange.bound(place, [...place, after.time, after.id], false, true);
        const found = await readRange(transaction.objectStore('sequences').index(index), keys, 'descending', limit);
        return found.map(({ sequence }) => sequence);
      }),
    count: (filter) =>
      database.read(['sequences'], (transaction) => {
        const { index, place } = listed(filter);
        return transaction.objectStore('sequences').index(index).count(rangeBelow(place));
      }),
    edit: (organizationId, ids, edit) =>
      database.write(['sequences', 'datasets', 'auditRows'], async (transaction) => {
        const found = await Promise.all(ids.map((id) => own(transaction, organizationId, id)));
        const { changed, changes, addedDatasets } = editedSequences(
          ids,
          found.filter((sequence) => sequence !== null),
          edit,
        );
        await requireDatasets(transaction, organizationId, addedDatasets);
        await Promise.all(changed.map((sequence) => transaction.objectStore('sequences').put(stored(sequence))));
        await keep(transaction, changes);
      }),
    delete: (organizationId, id) =>
      database.write(['sequences', 'auditRows'], async (transaction) => {
        const sequence = await own(transaction, organizationId, id);
        if (sequence === null) throw notFound('sequence', id);
        await transaction.objectStore('sequences').delete(id);
        await keep(transaction, changesOf('sequence', sequence, null));
      }),
  };
}

const stored = (sequence: Sequence): DataSchema['sequences']['value'] => ({
  sequence,
  members: sequence.datasetIds.map((datasetId): SequenceMember => [
    sequence.organizationId,
    datasetId,
    sequence.timeCreated,
    sequence.id,
  ]),
});

/** The index that has the places of those listed, and how their keys begin. */
const listed = ({ organizationId, datasetId }: SequenceFilter) =>
  datasetId === ''
    ? ({ index: 'time', place: [organizationId] } as const)
    : ({ index: 'members', place: [organizationId, datasetId] } as const);

function rangeBelow(place: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound(place, [...place, []]);
}
