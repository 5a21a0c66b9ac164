import { addParts } from './add-parts.ts';
import { countDescriptions, countLabelling } from './labelling-counts.ts';
import { addBlindColumn, markBlindTasks } from './mark-blind-tasks.ts';
import type { Statements } from './postgres-database.ts';
import { labelTables } from './postgres-label-tables.ts';
import { peopleTables } from './people-schema.ts';

/** Deletions that go on after their calls were answered. */
const addDeletions = `
  CREATE TABLE deletions (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    time_started double precision NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id)
  )`;

const addPartColumn = `ALTER TABLE label_tasks ADD COLUMN part_id text COLLATE "C" NOT NULL DEFAULT ''`;

/**
 * The schema, version by version: `migrations[n]` takes a database from version n to n + 1, all in one transaction. What was
 * published is never edited; a change is one more entry.
 *
 * The organization is the first column of every key and index, so that the tables can be distributed by it (Citus). Without it are
 * indexes for what is asked of all organizations at once (whose blob, which receipts are old, whose id), and the tables of the
 * whole installation.
 *
 * `entry` columns hold values by V8's structured serialization, as in SQLite. Times are double precision: a double holds every
 * time that the ports can say. Texts that order or find rows compare by bytes (COLLATE "C"), as the ports' orders do, and are what
 * `textKey` makes of texts of clients.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE receipts (
    organization_id text COLLATE "C" NOT NULL,
    upload_id text COLLATE "C" NOT NULL,
    time_synced double precision NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, upload_id)
  );
  CREATE INDEX receipts_by_time ON receipts (time_synced);

  CREATE TABLE datasets (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, name_key)
  );

  -- Only ever added to, by one transaction of an organization at a time: whoever has seen one has seen all with smaller ids.
  CREATE TABLE streams (
    organization_id text COLLATE "C" NOT NULL,
    collection text COLLATE "C" NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    digest text COLLATE "C" NOT NULL,
    key text NOT NULL,
    PRIMARY KEY (organization_id, collection, id),
    UNIQUE (organization_id, collection, digest)
  );

  -- No foreign keys to streams: they are never deleted, and a check of each row would cost ingest a look-up.
  CREATE TABLE binary_captures (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    stream bigint NOT NULL,
    time double precision NOT NULL,
    size bigint NOT NULL,
    blob_address text COLLATE "C" NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id)
  );
  CREATE INDEX binary_captures_by_stream ON binary_captures (organization_id, stream, time, id) INCLUDE (size);
  CREATE INDEX binary_captures_by_time ON binary_captures (organization_id, time, id);
  CREATE INDEX binary_captures_by_blob ON binary_captures (blob_address);
  ${marksTable('binary_captures_marks')}

  -- payload is JSON text, which keeps escaped what jsonb would refuse or change; NULL where JSON would lose something, and the
  -- payload is in the entry. entry is NULL where a row has nothing but its columns, as most have.
  CREATE TABLE tabular_captures (
    organization_id text COLLATE "C" NOT NULL,
    stream bigint NOT NULL,
    time double precision NOT NULL,
    id text COLLATE "C" NOT NULL,
    time_received double precision NOT NULL,
    time_synced double precision NOT NULL,
    size bigint NOT NULL,
    payload text,
    entry bytea,
    PRIMARY KEY (organization_id, stream, time, id) INCLUDE (size)
  );
  CREATE INDEX tabular_captures_by_time ON tabular_captures (organization_id, time, id);
  CREATE INDEX tabular_captures_by_arrival ON tabular_captures (organization_id, time_synced, id) INCLUDE (time);
  ${marksTable('tabular_captures_marks')}
  `,
  accessTables(),
  savedQueriesTable(),
  pipelineTables(),
  installationTables(),
  leaseTables(),
  usageTable(),
  resultSheetsTable(),
  sequencesTable(),
  auditTable(),
  labelTables(),
  peopleTables(),
  addPartColumn,
  countLabelling,
  addBlindColumn,
  addDeletions,
  countDescriptions,
];

/** What a migration also changes within entries, which SQL cannot read: by the SQL after which it runs. */
export const entryMigrations: ReadonlyMap<string, (statements: Statements) => Promise<void>> = new Map([
  [addPartColumn, addParts],
  [addBlindColumn, markBlindTasks],
]);

/**
 * What organizations store, in rows of which any may be added to: their sum counts, and a single one may be below zero. They are
 * written so often that a page has room for the next version of each of its rows.
 *
 * The tables are locked until the commit: an upload that is committed while they are counted would be missing for good.
 */
function usageTable(): string {
  return `
  CREATE TABLE usage_counts (
    organization_id text COLLATE "C" NOT NULL,
    slot bigint GENERATED ALWAYS AS IDENTITY,
    files bigint NOT NULL DEFAULT 0,
    file_bytes bigint NOT NULL DEFAULT 0,
    readings bigint NOT NULL DEFAULT 0,
    reading_bytes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, slot)
  ) WITH (fillfactor = 40);
  LOCK TABLE binary_captures, tabular_captures IN SHARE MODE;
  INSERT INTO usage_counts (organization_id, files, file_bytes)
    SELECT organization_id, count(*), sum(size) FROM binary_captures GROUP BY organization_id;
  INSERT INTO usage_counts (organization_id, readings, reading_bytes)
    SELECT organization_id, count(*), sum(size) FROM tabular_captures GROUP BY organization_id;
  `;
}

/**
 * What vision services said, a quarter of an hour of a stream at a time (result-sheets.ts): a sheet is deleted by whatever writes a
 * frame of it.
 */
function resultSheetsTable(): string {
  return `
  CREATE TABLE result_sheets (
    organization_id text COLLATE "C" NOT NULL,
    stream bigint NOT NULL,
    quarter bigint NOT NULL,
    columns bytea NOT NULL,
    PRIMARY KEY (organization_id, stream, quarter)
  );
  `;
}

/** Saved filters over captures. Which datasets one is a member of stands in its row, found by an index of the ids. */
function sequencesTable(): string {
  return `
  CREATE TABLE sequences (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    time_created double precision NOT NULL,
    dataset_ids text[] COLLATE "C" NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id)
  );
  CREATE INDEX sequences_by_time ON sequences (organization_id, time_created, id);
  CREATE INDEX sequences_by_dataset ON sequences USING gin (dataset_ids);
  `;
}

/** Who changed what: a page of any filter is a range of one of these, read from its end. */
function auditTable(): string {
  const indexes = [['actor'], ['what'], ['actor', 'what'], ['object_id']].map(
    (columns) => `
  CREATE INDEX audit_rows_by_${columns.join('_')} ON audit_rows (organization_id, ${columns.join(', ')}, time, id);`,
  );
  return `
  CREATE TABLE audit_rows (
    organization_id text COLLATE "C" NOT NULL,
    time double precision NOT NULL,
    id text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL,
    what text COLLATE "C" NOT NULL,
    object_id text COLLATE "C" NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, time, id)
  );
  ${indexes.join('')}
  `;
}

/** What hosts share beside the data: leases as they were at first, and small things that they remember. */
function installationTables(): string {
  return `
  CREATE TABLE leases (task text COLLATE "C" PRIMARY KEY, owner text NOT NULL, until timestamptz NOT NULL);
  CREATE TABLE installation_state (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
  `;
}

/** By whose time hosts take turns, and the leases by which they do; a token stays when its lease is over, and grows when it is taken. */
function leaseTables(): string {
  return `
  CREATE FUNCTION store_time() RETURNS double precision LANGUAGE sql VOLATILE -- in microseconds since 1970; tests set it
    AS 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1e6)::double precision';
  DROP TABLE leases;
  CREATE TABLE leases (name text COLLATE "C" PRIMARY KEY, token bigint NOT NULL, ends double precision NOT NULL);
  `;
}

/**
 * Who there is. Who calls is found by the id of a key or part alone, so these have an index by it beside their keys. Renewed
 * tokens and secrets are of the whole installation.
 */
function accessTables(): string {
  const ofOrganizations = ['locations', 'parts', 'keys'].map(
    (name) => `
  CREATE TABLE ${name} (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id)
  );
  CREATE INDEX ${name}_by_id ON ${name} (id);`,
  );
  return `
  CREATE TABLE organizations (organization_id text COLLATE "C" PRIMARY KEY, entry bytea NOT NULL);
  ${ofOrganizations.join('')}
  CREATE TABLE database_users (organization_id text COLLATE "C" PRIMARY KEY, entry bytea NOT NULL);
  CREATE TABLE token_renewals (token text COLLATE "C" PRIMARY KEY, until double precision NOT NULL);
  CREATE INDEX token_renewals_by_end ON token_renewals (until);
  CREATE TABLE installation_secrets (name text COLLATE "C" PRIMARY KEY, secret bytea NOT NULL);
  `;
}

/** A client names a saved query by its id alone. */
function savedQueriesTable(): string {
  return `
  CREATE TABLE saved_queries (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    time_created double precision NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, name_key)
  );
  CREATE INDEX saved_queries_by_time ON saved_queries (organization_id, time_created, id);
  CREATE INDEX saved_queries_by_id ON saved_queries (id);
  `;
}

/**
 * Pipelines with their runs and results, and the indexes of clients. Clients and schedulers name a pipeline by its id alone: its
 * organization, which stays the same, is looked up by `pipelines_by_id`. Schedulers ask for the enabled ones of all organizations,
 * hosts for indexes that are not finished.
 */
function pipelineTables(): string {
  return `
  CREATE TABLE pipelines (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    is_enabled smallint NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, name_key)
  );
  CREATE INDEX pipelines_by_id ON pipelines (id);
  CREATE INDEX pipelines_enabled ON pipelines (organization_id, id) WHERE is_enabled = 1;

  CREATE TABLE runs (
    organization_id text COLLATE "C" NOT NULL,
    pipeline_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY, -- of two runs of a window the newer one has the larger number
    window_start double precision NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, pipeline_id, id)
  );
  CREATE INDEX runs_by_window ON runs (organization_id, pipeline_id, window_start, number);
  CREATE INDEX runs_by_place ON runs (organization_id, pipeline_id, window_start, id);

  CREATE TABLE sinks (
    organization_id text COLLATE "C" NOT NULL,
    pipeline_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    document bytea NOT NULL,
    PRIMARY KEY (organization_id, pipeline_id, key)
  );

  -- position: as far as an unbuilt index has what its collection holds; NULL: nothing yet.
  CREATE TABLE indexes (
    organization_id text COLLATE "C" NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    collection text COLLATE "C" NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    state text NOT NULL CHECK (state IN ('unbuilt', 'built', 'deleted')),
    position text,
    entry bytea NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, collection, name_key)
  );
  CREATE INDEX indexes_unfinished ON indexes (organization_id, id) WHERE state <> 'built';

  -- Values are as \`indexKey\` makes them.
  CREATE TABLE field_values (
    organization_id text COLLATE "C" NOT NULL,
    index_id bigint NOT NULL,
    value bytea NOT NULL,
    time double precision NOT NULL,
    id text COLLATE "C" NOT NULL,
    stream bigint NOT NULL,
    PRIMARY KEY (organization_id, index_id, value, time, id) INCLUDE (stream),
    FOREIGN KEY (organization_id, stream, time, id) REFERENCES tabular_captures ON DELETE CASCADE
  );
  CREATE INDEX field_values_by_reading ON field_values (organization_id, stream, time, id);
  CREATE TABLE sink_values (
    organization_id text COLLATE "C" NOT NULL,
    index_id bigint NOT NULL,
    value bytea NOT NULL,
    key text COLLATE "C" NOT NULL,
    PRIMARY KEY (organization_id, index_id, value, key)
  );
  CREATE INDEX sink_values_by_key ON sink_values (organization_id, index_id, key);
  `;
}

function marksTable(name: string): string {
  return `
  CREATE TABLE ${name} (
    organization_id text COLLATE "C" NOT NULL,
    stream bigint NOT NULL,
    mark text COLLATE "C" NOT NULL,
    time double precision NOT NULL,
    id text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    PRIMARY KEY (organization_id, stream, mark, time, id) INCLUDE (size)
  );`;
}
