import type { Sequence, SequenceFilter, SequenceStore } from '../../../data-service/ports/sequence-store.ts';
import { changesOf } from '../../../data-service/ports/describe-changes.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { editedSequences } from '../../data-store/edited-sequences.ts';
import { EntryTable, readEntry } from './entry-table.ts';
import type { KeepChanges } from './sqlite-audit-store.ts';
import { requireDatasets } from './sqlite-dataset-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Sequences, and beside them a row for each dataset that one is a member of. */
export function sequenceTables(database: SqliteDatabase) {
  const sequences = new EntryTable<Sequence>(database, 'sequences', ({ id, organizationId, timeCreated }) => ({
    id,
    organization_id: organizationId,
    time_created: timeCreated,
  }));
  const addMembers = ({ id, organizationId, timeCreated, datasetIds }: Sequence): void => {
    for (const datasetId of datasetIds) {
      database.run('INSERT INTO sequence_members VALUES (?, ?, ?, ?)', organizationId, datasetId, timeCreated, id);
    }
  };
  const removeMembers = (organizationId: string, id: string): void => {
    database.run('DELETE FROM sequence_members WHERE organization_id = ? AND id = ?', organizationId, id);
  };
  return {
    sequences,
    insert(sequence: Sequence): void {
      sequences.insert(sequence);
      addMembers(sequence);
    },
    replace(sequence: Sequence): void {
      sequences.replace(sequence, { id: sequence.id });
      removeMembers(sequence.organizationId, sequence.id);
      addMembers(sequence);
    },
    delete(organizationId: string, id: string): number {
      removeMembers(organizationId, id);
      return sequences.delete({ organization_id: organizationId, id });
    },
  };
}

export function sqliteSequenceStore(database: SqliteDatabase, keep: KeepChanges): SequenceStore {
  const tables = sequenceTables(database);
  const { sequences } = tables;

  return {
    create: (sequence) =>
      database.write(() => {
        if (sequences.find({ id: sequence.id })) throw alreadyExists('sequence', sequence.id);
        tables.insert(sequence);
        keep(changesOf('sequence', null, sequence));
      }),
    get: (organizationId, id) => database.read(() => sequences.find({ organization_id: organizationId, id }) ?? null),
    list: (filter, after, limit) =>
      database.read(() => {
        const { from, values } = listed(filter);
        const beyond = after === null ? '' : 'AND (time_created, id) < (?, ?)';
        const places = `SELECT time_created, id FROM ${from} ${beyond} ORDER BY time_created DESC, id DESC LIMIT ?`;
        const rows = database.all(
          `SELECT entry FROM (${places}) AS place JOIN sequences ON sequences.id = place.id
           ORDER BY place.time_created DESC, place.id DESC`,
          ...values,
          ...(after === null ? [] : [after.time, after.id]),
          limit,
        );
        return rows.map(({ entry }) => readEntry<Sequence>(entry));
      }),
    count: (filter) =>
      database.read(() => {
        const { from, values } = listed(filter);
        return database.get(`SELECT count(*) AS count FROM ${from}`, ...values)!['count'] as number;
      }),
    edit: (organizationId, ids, edit) =>
      database.write(() => {
        const found = ids.flatMap((id) => sequences.find({ organization_id: organizationId, id }) ?? []);
        const edited = editedSequences(ids, found, edit);
        requireDatasets(database, organizationId, edited.addedDatasets);
        edited.changed.forEach(tables.replace);
        keep(edited.changes);
      }),
    delete: (organizationId, id) =>
      database.write(() => {
        const sequence = sequences.find({ organization_id: organizationId, id });
        if (sequence === undefined) throw notFound('sequence', id);
        tables.delete(organizationId, id);
        keep(changesOf('sequence', sequence, null));
      }),
  };
}

/** The table that has the places of those listed, in its index by time, and the values of its conditions. */
const listed = ({ organizationId, datasetId }: SequenceFilter) =>
  datasetId === ''
    ? { from: 'sequences WHERE organization_id = ?', values: [organizationId] }
    : { from: 'sequence_members WHERE organization_id = ? AND dataset_id = ?', values: [organizationId, datasetId] };
