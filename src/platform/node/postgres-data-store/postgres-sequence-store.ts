import { deserialize } from 'node:v8';
import type { Sequence, SequenceFilter, SequenceStore } from '../../../data-service/ports/sequence-store.ts';
import { changesOf } from '../../../data-service/ports/describe-changes.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { editedSequences } from '../../data-store/edited-sequences.ts';
import { arrayLiteral } from './array-literal.ts';
import { EntryTable } from './entry-table.ts';
import type { KeepChanges } from './postgres-audit-store.ts';
import { lockDatasets, requireDatasets } from './lock-datasets.ts';
import type { PostgresDatabase, SqlValue, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

const keyOf = (organizationId: string, id: string) => ({ organization_id: organizationId, id: textKey(id) });

export const sequenceTable = new EntryTable<Sequence>('sequences', {
  key: ({ organizationId, id }) => keyOf(organizationId, id),
  others: ({ timeCreated, datasetIds }) => ({
    time_created: timeCreated,
    dataset_ids: arrayLiteral(datasetIds.map(textKey)),
  }),
});

export function postgresSequenceStore(database: PostgresDatabase, keep: KeepChanges): SequenceStore {
  const sequences = sequenceTable;
  return {
    create: (sequence) =>
      database.write(async (statements) => {
        if (!(await sequences.insert(statements, sequence))) throw alreadyExists('sequence', sequence.id);
        await keep(statements, changesOf('sequence', null, sequence));
      }),
    get: (organizationId, id) => sequences.find(database, keyOf(organizationId, id)),
    async list(filter, after, limit) {
      const { where, values } = listed(filter);
      const beyond = after === null ? '' : `AND (time_created, id) < ($${values.length + 1}, $${values.length + 2})`;
      const rows = await database.rows(
        `SELECT entry FROM sequences WHERE ${where} ${beyond}
         ORDER BY time_created DESC, id DESC LIMIT ${Math.trunc(limit)}`,
        ...values,
        ...(after === null ? [] : [after.time, textKey(after.id)]),
      );
      return rows.map(({ entry }) => deserialize(entry as Uint8Array) as Sequence);
    },
    async count(filter) {
      const { where, values } = listed(filter);
      const [row] = await database.rows(`SELECT count(*)::integer AS count FROM sequences WHERE ${where}`, ...values);
      return row!['count'] as number;
    },
    edit: (organizationId, ids, edit) =>
      database.write(async (statements) => {
        // in the order of ids, so that two calls which lock some of the same sequences do not wait for each other
        const own = { organization_id: organizationId, id: ids.map(textKey) };
        const found = await sequences.list(statements, own, 'ORDER BY id FOR UPDATE');
        const { changed, changes, addedDatasets } = editedSequences(ids, found, edit);
        requireDatasets(await lockDatasets(statements, organizationId, addedDatasets), addedDatasets);
        for (const sequence of changed) await sequences.replace(statements, sequence);
        await keep(statements, changes);
      }),
    delete: (organizationId, id) =>
      database.write(async (statements) => {
        const sequence = await sequences.find(statements, keyOf(organizationId, id), 'FOR UPDATE');
        if (sequence === null) throw notFound('sequence', id);
        await sequences.delete(statements, keyOf(organizationId, id));
        await keep(statements, changesOf('sequence', sequence, null));
      }),
  };
}

/** Whether a dataset has a sequence, within a write that keeps others from adding one. */
export async function hasSequence(statements: Statements, organizationId: string, datasetId: string): Promise<boolean> {
  const { where, values } = listed({ organizationId, datasetId });
  return (await statements.row(`SELECT 1 FROM sequences WHERE ${where} LIMIT 1`, ...values)) !== undefined;
}

function listed({ organizationId, datasetId }: SequenceFilter): {
  readonly where: string;
  readonly values: SqlValue[];
} {
  return datasetId === ''
    ? { where: 'organization_id = $1', values: [organizationId] }
    : { where: 'organization_id = $1 AND dataset_ids @> $2::text[]', values: [organizationId, [textKey(datasetId)]] };
}
