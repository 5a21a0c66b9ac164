import { deserialize } from 'node:v8';
import type { SQLInputValue } from 'node:sqlite';
import type { AddedKind, InstallationRow, InstallationRows, RowKind } from '../../../data-service/face/stores.ts';
import { runNow } from '../../data-store/steps.ts';
import {
  auditRows,
  databaseUsers,
  datasets,
  deletions,
  installationSecrets,
  invitations,
  members,
  passkeys,
  people,
  pipelines,
  sessions,
  keys,
  labelComments,
  labelSchemes,
  locations,
  organizations,
  parts,
  receipts,
  savedQueries,
  sequences,
  tokenRenewals,
} from '../../data-store/entities/entity-tables.ts';
import type { Table } from '../../data-store/tables.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { labelTables } from './sqlite-label-store.ts';
import { runTable } from './sqlite-pipeline-store.ts';
import type { SqliteTables } from './sqlite-tables.ts';

/** Few enough for documents of sinks, which may be large. */
const pageRows = 200;

/** How the rows of one kind are read, in the order of some columns, and written. */
interface Reading<Entry> {
  readonly from: string;
  readonly order: readonly string[];
  /** columns that are read beside those of the order */
  readonly columns?: readonly string[];
  readonly read?: (row: Row) => Entry;
}
type Readings = { readonly [Kind in RowKind]: Reading<InstallationRow[Kind]> };
type Additions = { readonly [Kind in AddedKind]: (row: InstallationRow[Kind]) => void };

const readings: Readings = {
  organization: { from: 'organizations', order: ['id'] },
  location: { from: 'locations', order: ['id'] },
  part: { from: 'parts', order: ['id'] },
  key: { from: 'keys', order: ['id'] },
  'database-user': { from: 'database_users', order: ['organization_id'] },
  'token-renewal': {
    from: 'token_renewals',
    order: ['token'],
    columns: ['until'],
    read: ({ token, until }) => ({ token: token as string, until: until as number }),
  },
  secret: {
    from: 'installation_secrets',
    order: ['name'],
    columns: ['secret'],
    read: ({ name, secret }) => ({ name: name as string, secret: secret as Uint8Array }),
  },
  person: { from: 'people', order: ['id'] },
  member: { from: 'members', order: ['id'] },
  passkey: { from: 'passkeys', order: ['id'] },
  invitation: { from: 'invitations', order: ['id'] },
  session: { from: 'sessions', order: ['id'] },
  dataset: { from: 'datasets', order: ['id'] },
  sequence: { from: 'sequences', order: ['id'] },
  'saved-query': { from: 'saved_queries', order: ['id'] },
  pipeline: { from: 'pipelines', order: ['id'] },
  run: { from: 'runs', order: ['pipeline_id', 'window_start', 'row'] },
  'sink-document': {
    from: '(SELECT organization_id, pipeline_id, key, document FROM sinks JOIN pipelines ON pipelines.id = pipeline_id)',
    order: ['pipeline_id', 'key'],
    columns: ['organization_id', 'document'],
    read: ({ organization_id: organizationId, pipeline_id: pipelineId, key, document }) => ({
      organizationId: organizationId as string,
      pipelineId: pipelineId as string,
      key: key as string,
      document: document as Uint8Array,
    }),
  },
  receipt: { from: 'receipts', order: ['organization_id', 'upload_id'] },
  'audit-row': { from: 'audit_rows', order: ['organization_id', 'time', 'id'] },
  task: { from: 'label_tasks', order: ['id'] },
  comment: { from: 'label_comments', order: ['id'] },
  scheme: { from: 'label_schemes', order: ['organization_id', 'dataset_id'] },
  deletion: { from: 'deletions', order: ['id'] },
  index: {
    from: `(SELECT 'readings' AS of, id, entry FROM field_indexes WHERE is_built < 2
      UNION ALL SELECT 'sinks', id, entry FROM sink_indexes WHERE is_built < 2)`,
    order: ['of', 'id'],
  },
};

/** Tables that are cleared, those that refer to others before them. */
const cleared = [
  'field_values',
  'field_indexes',
  'sink_values',
  'sink_indexes',
  'receipts',
  'audit_rows',
  'label_tasks',
  'label_comments',
  'label_schemes',
  'label_presence',
  'deletions',
  'sinks',
  'runs',
  'pipelines',
  'saved_queries',
  'sequence_members',
  'sequences',
  'datasets',
  'sessions',
  'invitations',
  'passkeys',
  'members',
  'people',
  'installation_secrets',
  'token_renewals',
  'database_users',
  'keys',
  'parts',
  'locations',
  'organizations',
];

export function sqliteInstallationRows(database: SqliteDatabase, tables: SqliteTables): InstallationRows {
  const additions = additionsTo(database, tables);
  return {
    async *pages<Kind extends RowKind>(kind: Kind) {
      const reading = readings[kind] as Reading<InstallationRow[Kind]>;
      for (let after: readonly SQLInputValue[] | null = null; ;) {
        const beyond: readonly SQLInputValue[] | null = after;
        const rows: Row[] = await database.read(() => pageOf(database, reading, beyond));
        if (rows.length === 0) return;
        const { read = ({ entry }: Row) => deserialize(entry as Uint8Array) as InstallationRow[Kind] } = reading;
        yield rows.map(read);
        after = reading.order.map((column) => rows.at(-1)![column] as SQLInputValue);
      }
    },
    add: (kind, rows) =>
      database.write(() => {
        const add = additions[kind] as (row: (typeof rows)[number]) => void;
        for (const row of rows) add(row);
      }),
    clear: () =>
      database.write(() => {
        for (const table of cleared) database.run(`DELETE FROM ${table}`);
      }),
  };
}

function pageOf<Entry>(
  database: SqliteDatabase,
  { from, order, columns = ['entry'] }: Reading<Entry>,
  after: readonly SQLInputValue[] | null,
): Row[] {
  const beyond = after === null ? 'true' : `(${order.join()}) > (${order.map(() => '?').join()})`;
  const sql = `SELECT ${[...order, ...columns].join()} FROM ${from} WHERE ${beyond} ORDER BY ${order.join()} LIMIT ${pageRows}`;
  return database.all(sql, ...(after ?? []));
}

function additionsTo(database: SqliteDatabase, tables: SqliteTables): Additions {
  const addTo =
    <Entry, Field extends string>(table: Table<Entry, Field>) =>
    (row: Entry): void =>
      runNow(tables.insertAll(table, [row]));
  const runs = runTable(database);
  const { tasks } = labelTables(database);
  return {
    organization: addTo(organizations),
    location: addTo(locations),
    part: addTo(parts),
    key: addTo(keys),
    'database-user': addTo(databaseUsers),
    'token-renewal': addTo(tokenRenewals),
    secret: addTo(installationSecrets),
    person: addTo(people),
    member: addTo(members),
    passkey: addTo(passkeys),
    invitation: addTo(invitations),
    session: addTo(sessions),
    dataset: addTo(datasets),
    sequence: addTo(sequences),
    'saved-query': addTo(savedQueries),
    pipeline: addTo(pipelines),
    run: (row) => runs.insert(row),
    'sink-document': ({ pipelineId, key, document }) =>
      void database.run('INSERT INTO sinks VALUES (?, ?, ?)', pipelineId, key, document),
    receipt: addTo(receipts),
    'audit-row': addTo(auditRows),
    task: (row) => tasks.insert(row),
    comment: addTo(labelComments),
    scheme: addTo(labelSchemes),
    deletion: addTo(deletions),
  };
}
