import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { hasPostgres, withoutPostgres } from '../postgres/postgres-server.ts';
import { postgresStores } from '../postgres/postgres-stores.ts';
import { testClock } from './data-store/blobs.ts';

// A table that is in neither list is one that a move would lose: give it a kind in `InstallationRows`, or say why it needs none.

/** Copied by `InstallationRows`. */
const moved = [
  'audit_rows',
  'database_users',
  'datasets',
  'deletions',
  'installation_secrets',
  'invitations',
  'keys',
  'label_comments',
  'label_schemes',
  'label_tasks',
  'locations',
  'members',
  'organizations',
  'parts',
  'passkeys',
  'people',
  'pipelines',
  'receipts',
  'runs',
  'saved_queries',
  'sequences',
  'sessions',
  'sinks',
  'token_renewals',
];

/** Captures, and what a store makes of them when they are inserted. */
const ofCaptures = [
  'binary_captures',
  'binary_captures_marks',
  'streams',
  'tabular_captures',
  'tabular_captures_marks',
  'field_values',
  'sink_values',
  'result_sheets',
];

/** Who is on an image at this moment: nobody is when an installation is moved. */
const ofMoments = ['label_presence'];

const ofSqlite = ['field_indexes', 'sink_indexes', 'reading_sheets', 'sequence_members', 'usage'];
// `leases` and `installation_state` are of the hosts of one database; `sightglass move` takes along when they were last at work
const ofPostgres = ['indexes', 'usage_counts', 'leases', 'installation_state', 'schema_version'];

it('a move knows every table in SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-tables-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = await openSqliteDataStore(folder, testClock);
  await store.close();
  const database = new DatabaseSync(store.databasePath, { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  database.close();
  expect(tables.map(({ name }) => name).sort()).toEqual([...moved, ...ofCaptures, ...ofMoments, ...ofSqlite].sort());
});

describe.skipIf(!hasPostgres)(`a move to PostgreSQL (${withoutPostgres})`, () => {
  const stores = postgresStores(() => memoryDataStore(testClock).blobs);

  it('knows every table there', async () => {
    const { url, close } = await stores.open();
    const database = new PostgresDatabase(url, { connections: 1 });
    const tables = await database.rows("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
    await database.close();
    await close();
    expect(tables.map(({ name }) => name).sort()).toEqual(
      [...moved, ...ofCaptures, ...ofMoments, ...ofPostgres].sort(),
    );
  });
});
