import { changesOf } from '../../src/data-service/ports/describe-changes.ts';
import { byText } from '../../src/data-service/ports/name-order.ts';
import type { Sequence, SequenceFilter, SequenceStore } from '../../src/data-service/ports/sequence-store.ts';
import { alreadyExists, notFound } from '../../src/data-service/ports/store-refusals.ts';
import { editedSequences } from '../../src/platform/data-store/edited-sequences.ts';
import { requireOwnDatasets, type KeepChanges, type Tables } from './tables.ts';

export function memorySequenceStore(tables: Tables, keep: KeepChanges): SequenceStore {
  const own = (organizationId: string, id: string): Sequence | null => {
    const sequence = tables.sequences.get(id);
    return sequence?.organizationId === organizationId ? sequence : null;
  };
  const matching = ({ organizationId, datasetId }: SequenceFilter): Sequence[] =>
    [...tables.sequences.values()].filter(
      (sequence) =>
        sequence.organizationId === organizationId && (datasetId === '' || sequence.datasetIds.includes(datasetId)),
    );

  return {
    async create(sequence) {
      if (tables.sequences.has(sequence.id)) throw alreadyExists('sequence', sequence.id);
      tables.sequences.set(sequence.id, sequence);
      keep(changesOf('sequence', null, sequence));
    },
    async get(organizationId, id) {
      return own(organizationId, id);
    },
    async list(filter, after, limit) {
      return matching(filter)
        .filter(
          ({ timeCreated, id }) =>
            after === null || timeCreated < after.time || (timeCreated === after.time && id < after.id),
        )
        .sort((a, b) => b.timeCreated - a.timeCreated || byText(b.id, a.id))
        .slice(0, limit);
    },
    async count(filter) {
      return matching(filter).length;
    },
    async edit(organizationId, ids, edit) {
      const found = ids.flatMap((id) => own(organizationId, id) ?? []);
      const { changed, changes, addedDatasets } = editedSequences(ids, found, edit);
      requireOwnDatasets(tables, organizationId, addedDatasets);
      for (const sequence of changed) tables.sequences.set(sequence.id, sequence);
      keep(changes);
    },
    async delete(organizationId, id) {
      const sequence = own(organizationId, id);
      if (sequence === null) throw notFound('sequence', id);
      tables.sequences.delete(id);
      keep(changesOf('sequence', sequence, null));
    },
  };
}
