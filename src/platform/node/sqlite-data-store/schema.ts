import type { DatabaseSync } from 'node:sqlite';
import { addParts } from './add-parts.ts';
import { labelTables } from './label-tables.ts';
import { countDescriptions, countLabelling } from './labelling-counts.ts';
import { addBlindColumn, markBlindTasks } from './mark-blind-tasks.ts';
import { peopleTables } from './people-tables.ts';

const addPartColumn = `ALTER TABLE label_tasks ADD COLUMN part_id TEXT NOT NULL DEFAULT '';`;

/**
 * The schema, version by version: `migrations[n]` takes a database from version n to n + 1. What was published is
 * never edited; a change is one more entry.
 *
 * `entry` columns hold values by V8's structured serialization, which keeps NaN, infinities and bytes, and which later
 * versions of Node read too (https://nodejs.org/api/v8.html#serialization-api). Times are REAL: a double holds every
 * time that the ports can say, an SQLite INTEGER beyond 2^53 could not be read back.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE organizations (id TEXT PRIMARY KEY, entry BLOB NOT NULL) STRICT;
  CREATE TABLE locations (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX locations_by_organization ON locations (organization_id);
  CREATE TABLE parts (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    location_id TEXT NOT NULL REFERENCES locations (id),
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX parts_by_organization ON parts (organization_id);
  CREATE INDEX parts_by_location ON parts (location_id);
  CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX keys_by_organization ON keys (organization_id);
  CREATE TABLE database_users (organization_id TEXT PRIMARY KEY, entry BLOB NOT NULL) STRICT;
  CREATE TABLE installation_secrets (name TEXT PRIMARY KEY, secret BLOB NOT NULL) STRICT;

  CREATE TABLE datasets (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    name TEXT NOT NULL,
    entry BLOB NOT NULL,
    UNIQUE (organization_id, name)
  ) STRICT;
  CREATE TABLE saved_queries (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    name TEXT NOT NULL,
    time_created REAL NOT NULL,
    entry BLOB NOT NULL,
    UNIQUE (organization_id, name)
  ) STRICT;
  CREATE INDEX saved_queries_by_time ON saved_queries (organization_id, time_created, id);

  CREATE TABLE pipelines (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    name TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    entry BLOB NOT NULL,
    UNIQUE (organization_id, name)
  ) STRICT;
  CREATE TABLE runs (
    row INTEGER PRIMARY KEY, -- of two runs of a window the newer one has the larger row
    id TEXT NOT NULL UNIQUE,
    pipeline_id TEXT NOT NULL,
    window_start REAL NOT NULL,
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_window ON runs (pipeline_id, window_start, id);
  CREATE TABLE sinks (
    pipeline_id TEXT NOT NULL,
    key TEXT NOT NULL,
    document BLOB NOT NULL,
    PRIMARY KEY (pipeline_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE receipts (
    organization_id TEXT NOT NULL,
    upload_id TEXT NOT NULL,
    time_synced REAL NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (organization_id, upload_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX receipts_by_time ON receipts (time_synced);

  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    UNIQUE (collection, key)
  ) STRICT;
  ${captureTables('binary_captures', 'blob_address TEXT NOT NULL')}
  CREATE INDEX binary_captures_by_blob ON binary_captures (blob_address);
  ${captureTables('tabular_captures', 'time_synced REAL NOT NULL')}
  CREATE TABLE field_indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL,
    collection TEXT NOT NULL,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    is_built INTEGER NOT NULL,
    entry BLOB NOT NULL,
    UNIQUE (organization_id, collection, name)
  ) STRICT;
  CREATE TABLE field_values (
    field_index INTEGER NOT NULL REFERENCES field_indexes (id),
    value ANY NOT NULL,
    time REAL NOT NULL,
    id TEXT NOT NULL,
    row INTEGER NOT NULL REFERENCES tabular_captures (row) ON DELETE CASCADE,
    PRIMARY KEY (field_index, value, time, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX field_values_by_row ON field_values (row);
  CREATE INDEX tabular_captures_by_arrival ON tabular_captures (organization_id, time_synced, id, time);
  `,
  // The JSON text of the payload, which queries read many of at once; the entry is then without it. NULL: the payload is
  // in the entry, since it came before this version or JSON text would change it.
  `ALTER TABLE tabular_captures ADD COLUMN payload TEXT;`,
  `
  CREATE TABLE token_renewals (token TEXT PRIMARY KEY, until REAL NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX token_renewals_by_end ON token_renewals (until);
  `,
  // Readings by the thousand, column by column (reading-sheet.ts): the sheets of a stream do not overlap. What is in a sheet
  // is not in tabular_captures, where new readings wait for theirs, and so do those of before this version.
  `
  CREATE TABLE reading_sheets (
    row INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice: what was read of a sheet stays true
    stream INTEGER NOT NULL REFERENCES streams (id),
    first_time REAL NOT NULL,
    first_id TEXT NOT NULL,
    last_time REAL NOT NULL,
    last_id TEXT NOT NULL,
    first_synced REAL NOT NULL,
    last_synced REAL NOT NULL,
    count INTEGER NOT NULL,
    size INTEGER NOT NULL,
    columns BLOB NOT NULL
  ) STRICT;
  CREATE INDEX reading_sheets_by_place ON reading_sheets (stream, last_time, last_id, first_time, first_id, count, size);
  CREATE INDEX reading_sheets_by_arrival ON reading_sheets (stream, last_synced, first_synced);
  `,
  `
  CREATE TABLE sink_indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pipeline_id TEXT NOT NULL,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    is_built INTEGER NOT NULL,
    entry BLOB NOT NULL,
    UNIQUE (pipeline_id, name)
  ) STRICT;
  CREATE TABLE sink_values (
    sink_index INTEGER NOT NULL REFERENCES sink_indexes (id),
    value ANY NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (sink_index, value, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sink_values_by_key ON sink_values (sink_index, key);
  `,
  // What each organization stores, counted from what was there before; its id is the first of a stream's key.
  `
  CREATE TABLE usage (
    organization_id TEXT PRIMARY KEY,
    file_count INTEGER NOT NULL DEFAULT 0,
    file_bytes INTEGER NOT NULL DEFAULT 0,
    reading_count INTEGER NOT NULL DEFAULT 0,
    reading_bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  INSERT INTO usage
    SELECT json_extract(key, '$[0]'), sum(files), sum(file_bytes), sum(readings), sum(reading_bytes)
    FROM (
      SELECT stream, count(*) AS files, sum(size) AS file_bytes, 0 AS readings, 0 AS reading_bytes
      FROM binary_captures GROUP BY stream
      UNION ALL SELECT stream, 0, 0, count(*), sum(size) FROM tabular_captures GROUP BY stream
      UNION ALL SELECT stream, 0, 0, sum(count), sum(size) FROM reading_sheets GROUP BY stream
    ) JOIN streams ON streams.id = stream
    GROUP BY 1;
  `,
  // What vision services said, a quarter of an hour of a stream at a time (result-sheets.ts). Without columns: a sheet that is
  // being made. A frame that is written meanwhile deletes the row, and the sheet is not kept: no row number comes again.
  `
  CREATE TABLE result_sheets (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    stream INTEGER NOT NULL,
    quarter INTEGER NOT NULL,
    columns BLOB,
    UNIQUE (stream, quarter)
  ) STRICT;
  `,
  // Saved filters over captures, and which datasets they are members of, a row each.
  `
  CREATE TABLE sequences (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    time_created REAL NOT NULL,
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX sequences_by_time ON sequences (organization_id, time_created, id);
  CREATE TABLE sequence_members (
    organization_id TEXT NOT NULL,
    dataset_id TEXT NOT NULL,
    time_created REAL NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (organization_id, dataset_id, time_created, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sequence_members_by_id ON sequence_members (organization_id, id);
  `,
  // Who changed what: a page of any filter is a range of one of these, read from its end.
  `
  CREATE TABLE audit_rows (
    organization_id TEXT NOT NULL,
    time REAL NOT NULL,
    id TEXT NOT NULL,
    actor TEXT NOT NULL,
    what TEXT NOT NULL,
    object_id TEXT NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (organization_id, time, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_rows_by_actor ON audit_rows (organization_id, actor, time, id);
  CREATE INDEX audit_rows_by_what ON audit_rows (organization_id, what, time, id);
  CREATE INDEX audit_rows_by_actor_what ON audit_rows (organization_id, actor, what, time, id);
  CREATE INDEX audit_rows_by_object_id ON audit_rows (organization_id, object_id, time, id);
  `,
  labelTables(),
  peopleTables(),
  addPartColumn,
  countLabelling,
  addBlindColumn,
  // deletions of readings, which go on after their calls were answered
  `
  CREATE TABLE deletions (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    time_started REAL NOT NULL,
    entry BLOB NOT NULL
  ) STRICT;
`,
  countDescriptions,
];

/** What a migration also changes within entries, which SQL cannot read: by the SQL after which it runs. */
export const entryMigrations: ReadonlyMap<string, (database: DatabaseSync) => void> = new Map([
  [addPartColumn, addParts],
  [addBlindColumn, markBlindTasks],
]);

/** A page is a range of `_by_stream` or `_marks` for each stream that a filter takes, or one of `_by_time`. */
function captureTables(name: string, ownColumn: string): string {
  return `
  CREATE TABLE ${name} (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    stream INTEGER NOT NULL REFERENCES streams (id),
    time REAL NOT NULL,
    size INTEGER NOT NULL,
    ${ownColumn},
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX ${name}_by_stream ON ${name} (stream, time, id, size);
  CREATE INDEX ${name}_by_time ON ${name} (organization_id, time, id);
  CREATE TABLE ${name}_marks (
    stream INTEGER NOT NULL,
    mark TEXT NOT NULL,
    time REAL NOT NULL,
    id TEXT NOT NULL,
    row INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (stream, mark, time, id)
  ) STRICT, WITHOUT ROWID;
  `;
}
