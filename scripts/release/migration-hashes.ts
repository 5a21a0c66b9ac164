import { createHash } from 'node:crypto';
import { migrations as postgres } from '../../src/platform/node/postgres-data-store/schema.ts';
import { migrations as sqlite } from '../../src/platform/node/sqlite-data-store/schema.ts';

const hashOf = (migration: string): string => createHash('sha256').update(migration).digest('hex').slice(0, 16);

/** The migrations of the server's stores, each by its hash: a published one is never edited, since databases have run it. */
export const migrationHashes = (): Readonly<Record<'sqlite' | 'postgres', readonly string[]>> => ({
  sqlite: sqlite.map(hashOf),
  postgres: postgres.map(hashOf),
});
