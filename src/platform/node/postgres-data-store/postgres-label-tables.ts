import { type Actor, actorKey } from '../../../data-service/face/accounts.ts';
import type { Assignment, LabelTask } from '../../../data-service/face/stores.ts';
import type { BinaryRecord } from '../../../data-service/face/captures.ts';
import type { Presence } from '../../data-store/label-rules.ts';
import { labelComments } from '../../data-store/entities/entity-tables.ts';
import { runInTurn } from '../../data-store/steps.ts';
import { createTaskIndexes } from '../../data-store/task-index-sql.ts';
import { EntryTable } from './entry-table.ts';
import type { Statements } from './postgres-database.ts';
import { PostgresTables } from './postgres-tables.ts';
import { textKey } from './text-key.ts';

const placeOf = (organizationId: string, id: string) => ({ organization_id: organizationId, id: textKey(id) });
export const imagePlaceOf = (organizationId: string, binaryDataId: string) => ({
  organization_id: organizationId,
  binary_data_id: textKey(binaryDataId),
});

export const taskTable = new EntryTable<LabelTask>('label_tasks', {
  key: ({ organizationId, id }) => placeOf(organizationId, id),
  others: ({ binaryDataId, locationId, partId, datasetId, assignee, state, timeCreated, isBlind }) => ({
    binary_data_id: textKey(binaryDataId),
    location_id: textKey(locationId),
    part_id: textKey(partId),
    dataset_id: textKey(datasetId),
    assignee: textKey(actorKey(assignee)),
    state,
    time_created: timeCreated,
    is_blind: Number(isBlind),
  }),
});

export const presenceTable = new EntryTable<Presence>('label_presence', {
  key: ({ organizationId, binaryDataId, worker }) => ({
    ...imagePlaceOf(organizationId, binaryDataId),
    worker: textKey(actorKey(worker)),
  }),
  others: ({ until }) => ({ until }),
});

/** Which of these images an assignee has tasks of. */
export async function assignments(
  reading: Pick<Statements, 'rows'>,
  organizationId: string,
  assignee: Pick<Actor, 'kind' | 'id'>,
  binaryDataIds: readonly string[],
): Promise<readonly Assignment[]> {
  const idOf = new Map(binaryDataIds.map((id) => [textKey(id), id]));
  const rows = await reading.rows(
    `SELECT id, binary_data_id, is_blind FROM label_tasks
     WHERE organization_id = $1 AND assignee = $2 AND binary_data_id = ANY ($3::text[])`,
    organizationId,
    textKey(actorKey(assignee)),
    [...idOf.keys()],
  );
  return rows.map((row) => ({
    id: row['id'] as string, // the service makes ids: none is so long that only its digest is kept
    binaryDataId: idOf.get(row['binary_data_id'] as string)!,
    isBlind: row['is_blind'] === 1,
  }));
}

/** Tasks and comments go with their images, within the write that deletes these. */
export async function forgetLabels(
  statements: Statements,
  organizationId: string,
  images: readonly BinaryRecord[],
): Promise<void> {
  if (images.length === 0) return;
  const of = { organization_id: organizationId, binary_data_id: images.map(({ id }) => textKey(id)) };
  await taskTable.delete(statements, of);
  const where = { organizationId, binaryDataId: images.map(({ id }) => id) };
  await runInTurn(new PostgresTables(statements).delete(labelComments, { where }));
}

/** Who labels what, and what is said of it. */
export function labelTables(): string {
  return `
  CREATE TABLE label_tasks (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    binary_data_id text COLLATE "C" NOT NULL,
    location_id text COLLATE "C" NOT NULL,
    dataset_id text COLLATE "C" NOT NULL,
    assignee text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    time_created double precision NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id)
  );
  ${createTaskIndexes}
  CREATE TABLE label_comments (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    binary_data_id text COLLATE "C" NOT NULL,
    time_created double precision NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id)
  );
  CREATE INDEX label_comments_by_binary_data_id ON label_comments (organization_id, binary_data_id, time_created, id);
  CREATE TABLE label_schemes (
    organization_id text COLLATE "C" NOT NULL,
    dataset_id text COLLATE "C" NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, dataset_id)
  );
  CREATE TABLE label_presence (
    organization_id text COLLATE "C" NOT NULL,
    binary_data_id text COLLATE "C" NOT NULL,
    worker text COLLATE "C" NOT NULL,
    until double precision NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, binary_data_id, worker)
  );
  CREATE INDEX label_presence_by_end ON label_presence (organization_id, until);
  `;
}
