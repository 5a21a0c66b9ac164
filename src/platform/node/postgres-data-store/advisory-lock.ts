import { createHash } from 'node:crypto';
import type { Statements } from './postgres-database.ts';

/**
 * Waits until no other transaction, of any host, holds the lock of this name, and holds it to the end of the transaction. Two names
 * may share a lock by chance (64 bits): then they wait for each other.
 */
export async function advisoryLock(statements: Statements, ...name: readonly string[]): Promise<void> {
  await statements.row('SELECT pg_advisory_xact_lock($1::bigint)', keyOf(name));
}

/** The same lock, which any number of transactions may hold that hold it so. */
export async function sharedAdvisoryLock(statements: Statements, ...name: readonly string[]): Promise<void> {
  await statements.row('SELECT pg_advisory_xact_lock_shared($1::bigint)', keyOf(name));
}

const keyOf = (name: readonly string[]): string =>
  String(createHash('sha256').update(JSON.stringify(name)).digest().readBigInt64BE());
