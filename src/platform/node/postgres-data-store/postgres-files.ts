import type { BinaryRecord, EditedBinary } from '../../../data-service/face/captures.ts';
import type { BinaryCaptures } from './postgres-binary-captures.ts';
import type { StoredCapture } from './postgres-captures.ts';
import type { Statements } from './postgres-database.ts';
import type { PostgresResults } from './postgres-result-store.ts';
import { isStorable } from './text-key.ts';

/** Files as they are stored, by their ids. */
export type FoundFiles = ReadonlyMap<string, StoredCapture<BinaryRecord>>;

/** Those of the files that the organization has. */
export async function findFiles(
  statements: Statements,
  captures: BinaryCaptures,
  organizationId: string,
  ids: readonly string[],
  locked: '' | 'FOR UPDATE',
): Promise<FoundFiles> {
  // in the order of ids, so that two calls which lock some of the same records do not wait for each other
  const rows = await statements.rows(
    `SELECT stream, time, id, entry FROM binary_captures
     WHERE organization_id = $1 AND id = ANY($2::text[]) ORDER BY id ${locked}`,
    organizationId,
    ids.filter(isStorable),
  );
  const stored = await captures.joined(statements, organizationId, rows);
  return new Map(stored.map((one) => [one.capture.id, one]));
}

/** Writes those of the edited files that differ. */
export async function replaceFiles(
  statements: Statements,
  captures: BinaryCaptures,
  results: PostgresResults,
  found: FoundFiles,
  edited: readonly EditedBinary[],
): Promise<void> {
  const changed = edited.filter(({ before, after }) => before !== after);
  const stored = changed.map(({ before }) => found.get(before.id)!);
  const replaced = await captures.replace(
    statements,
    stored,
    changed.map(({ after }) => after),
  );
  await results.forget(statements, [...stored, ...replaced]);
}
