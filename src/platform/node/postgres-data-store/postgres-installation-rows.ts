import { deserialize, serialize } from 'node:v8';
import type { AddedKind, InstallationRow, InstallationRows, RowKind } from '../../../data-service/face/stores.ts';
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
import type { EntryTable } from './entry-table.ts';
import type { PostgresDatabase, Row, SqlValue } from './postgres-database.ts';
import { taskTable } from './postgres-label-tables.ts';
import { columnsOf, entryOf, keyOf } from './postgres-tables.ts';

/** Few enough for documents of sinks, which may be large. */
const pageRows = 200;

type Columns = Readonly<Record<string, string | number | Uint8Array>>;

/** How the rows of one kind are written, and read in the order of their key. */
interface Kept<Entry> {
  readonly table: string;
  readonly order: readonly string[];
  /** all of a row */
  readonly columnsOf: (row: Entry) => Columns;
  /** columns that are read beside those of the order */
  readonly columns?: readonly string[];
  readonly read?: (row: Row) => Entry;
}

const byId = ['organization_id', 'id'];
const entriesOf = <Entry>({ name, columnsOf }: EntryTable<Entry>, order: readonly string[] = byId): Kept<Entry> => ({
  table: name,
  order,
  columnsOf,
});

const rowsOf = <Entry, Field extends string>(table: Table<Entry, Field>): Kept<Entry> => ({
  table: table.name,
  order: keyOf(table),
  columnsOf: (row) => columnsOf(table, row),
});

const kept: { readonly [Kind in AddedKind]: Kept<InstallationRow[Kind]> } = {
  organization: rowsOf(organizations),
  location: rowsOf(locations),
  part: rowsOf(parts),
  key: rowsOf(keys),
  'database-user': rowsOf(databaseUsers),
  'token-renewal': { ...rowsOf(tokenRenewals), columns: ['until'], read: (row) => entryOf(tokenRenewals, row) },
  secret: { ...rowsOf(installationSecrets), columns: ['secret'], read: (row) => entryOf(installationSecrets, row) },
  person: rowsOf(people),
  member: rowsOf(members),
  passkey: rowsOf(passkeys),
  invitation: rowsOf(invitations),
  session: rowsOf(sessions),
  dataset: rowsOf(datasets),
  sequence: rowsOf(sequences),
  'saved-query': rowsOf(savedQueries),
  pipeline: rowsOf(pipelines),
  run: {
    table: 'runs',
    order: ['organization_id', 'pipeline_id', 'window_start', 'number'],
    columnsOf: (run) => ({
      organization_id: run.organizationId,
      pipeline_id: run.pipelineId,
      id: run.id,
      window_start: run.window.start,
      entry: serialize(run),
    }),
  },
  'sink-document': {
    table: 'sinks',
    order: ['organization_id', 'pipeline_id', 'key'],
    columnsOf: ({ organizationId, pipelineId, key, document }) => ({
      organization_id: organizationId,
      pipeline_id: pipelineId,
      key,
      document,
    }),
    columns: ['document'],
    read: ({ organization_id: organizationId, pipeline_id: pipelineId, key, document }) => ({
      organizationId: organizationId as string,
      pipelineId: pipelineId as string,
      key: key as string,
      document: bytesOf(document),
    }),
  },
  'audit-row': rowsOf(auditRows),
  task: entriesOf(taskTable),
  comment: rowsOf(labelComments),
  scheme: rowsOf(labelSchemes),
  deletion: rowsOf(deletions),
  receipt: rowsOf(receipts),
};

const indexes = { table: "(SELECT * FROM indexes WHERE state <> 'deleted') AS indexes", order: byId };

export function postgresInstallationRows(database: PostgresDatabase): InstallationRows {
  return {
    async *pages<Kind extends RowKind>(kind: Kind) {
      type Entry = InstallationRow[Kind];
      const from = (kind === 'index' ? indexes : kept[kind as AddedKind]) as Omit<Kept<Entry>, 'columnsOf'>;
      const { table, order, columns = ['entry'], read = wholeEntry<Entry> } = from;
      for (let after: readonly SqlValue[] = []; ;) {
        const beyond = after.length === 0 ? 'true' : `(${order.join()}) > (${placeholders(0, after.length)})`;
        const rows = await database.rows(
          `SELECT ${[...order, ...columns].join()} FROM ${table} WHERE ${beyond} ORDER BY ${order.join()} LIMIT ${pageRows}`,
          ...after,
        );
        if (rows.length === 0) return;
        yield rows.map(read);
        after = order.map((column) => rows.at(-1)![column] as SqlValue);
      }
    },
    add: (kind, rows) =>
      database.write(async (statements) => {
        if (rows.length === 0) return;
        const { table, columnsOf } = kept[kind] as Kept<(typeof rows)[number]>;
        const written = rows.map(columnsOf);
        const names = Object.keys(written[0]!);
        const values = written.map((_, index) => `(${placeholders(index * names.length, names.length)})`);
        await statements.run(
          `INSERT INTO ${table} (${names.join()}) VALUES ${values.join()}`,
          ...written.flatMap((row) => Object.values(row)),
        );
      }),
    clear: () =>
      database.write(async (statements) => {
        const tables = [
          ...Object.values(kept).map(({ table }) => table),
          'indexes',
          'field_values',
          'sink_values',
          'label_presence',
        ];
        await statements.run('SET LOCAL statement_timeout = 0');
        await statements.run(`TRUNCATE ${tables.join()}`);
        await statements.run('UPDATE usage_counts SET labelling = 0, labelling_bytes = 0'); // no trigger counts a TRUNCATE
      }),
  };
}

const wholeEntry = <Entry>({ entry }: Row): Entry => deserialize(entry as Uint8Array) as Entry;

/** Without what the driver's pool of memory holds beside them. */
const bytesOf = (value: unknown): Uint8Array => Uint8Array.from(value as Uint8Array);

const placeholders = (before: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `$${before + index + 1}`).join();
