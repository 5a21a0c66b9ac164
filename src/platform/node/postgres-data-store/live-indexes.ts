import { deserialize } from 'node:v8';
import type { IndexedCollection, StoredIndex } from '../../../data-service/face/stores.ts';
import type { FieldHint } from '../../../data-service/face/captures.ts';
import { collectionKey, indexedPath, usableHints } from '../../data-store/field-values.ts';
import { advisoryLock, sharedAdvisoryLock } from './advisory-lock.ts';
import { keysWithin } from './index-key.ts';
import type { SqlValue, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

/** Rows of an index that are sorted for one page; where more could match, reading in order is cheaper. */
const sortedAtOnce = 5000;

/** An index that is not deleted. */
export interface LiveIndex {
  readonly id: number;
  readonly path: string;
  readonly isBuilt: boolean;
}

export type ValuesTable = 'field_values' | 'sink_values';

/** The value of the column `collection`. */
export const collectionColumn = (collection: IndexedCollection): string => textKey(collectionKey(collection));

/** The indexes of a collection as a transaction sees them. */
export async function liveIndexes(
  statements: Statements,
  organizationId: string,
  collection: IndexedCollection,
): Promise<readonly LiveIndex[]> {
  const rows = await statements.rows(
    "SELECT id, state, entry FROM indexes WHERE organization_id = $1 AND collection = $2 AND state <> 'deleted' ORDER BY id",
    organizationId,
    collectionColumn(collection),
  );
  return rows.map(({ id, state, entry }) => ({
    id: id as number,
    path: indexedPath(deserialize(entry as Uint8Array) as StoredIndex),
    isBuilt: state === 'built',
  }));
}

/**
 * Those that a write to a collection must keep. None is made or deleted up to the end of the write: whoever makes one has it
 * filled with what was written without it, and whoever deletes one removes all that it has.
 */
export async function keptIndexes(
  statements: Statements,
  organizationId: string,
  collection: IndexedCollection,
): Promise<readonly LiveIndex[]> {
  await sharedAdvisoryLock(statements, 'indexes', organizationId);
  return liveIndexes(statements, organizationId, collection);
}

/** Waits for the writes that go by the indexes of an organization as they are; others wait for the end of this one. */
export const lockIndexes = (statements: Statements, organizationId: string): Promise<void> =>
  advisoryLock(statements, 'indexes', organizationId);

/**
 * The rows of an index in which one of the hints finds few enough: a condition on the table of values, and its parameters, of which
 * the first is the organization. null: there is none.
 */
export async function rowsByHint(
  statements: Statements,
  table: ValuesTable,
  organizationId: string,
  indexes: readonly LiveIndex[],
  hints: readonly FieldHint[],
): Promise<{ readonly condition: string; readonly values: readonly SqlValue[] } | null> {
  for (const { id, path, isBuilt } of indexes) {
    for (const hint of isBuilt ? usableHints(hints, path) : []) {
      const { first, hasFirst, last, hasLast } = keysWithin(hint);
      const range = `value ${hasFirst ? '>=' : '>'} $3 AND value ${hasLast ? '<=' : '<'} $4`;
      const condition = `organization_id = $1 AND index_id = $2 AND ${range}`;
      const values = [organizationId, id, first, last];
      const capped = `SELECT count(*) AS count FROM (SELECT FROM ${table} WHERE ${condition} LIMIT $5) AS found`;
      const found = await statements.row(capped, ...values, sortedAtOnce + 1);
      if ((found!['count'] as number) <= sortedAtOnce) return { condition, values };
    }
  }
  return null;
}
