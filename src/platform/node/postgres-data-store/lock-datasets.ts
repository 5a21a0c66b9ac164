import { notFound } from '../../../data-service/ports/store-refusals.ts';
import type { Statements } from './postgres-database.ts';
import { isStorable } from './text-key.ts';

/**
 * Locks datasets against deletion until the end of the write that makes captures or sequences their members: whoever deletes one waits for that,
 * and sees its members then. Resolves to the ids that the organization has.
 */
export async function lockDatasets(
  statements: Statements,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<unknown>> {
  if (ids.length === 0) return new Set();
  const rows = await statements.rows(
    'SELECT id FROM datasets WHERE organization_id = $1 AND id = ANY($2::text[]) ORDER BY id FOR KEY SHARE',
    organizationId,
    ids.filter(isStorable),
  );
  return new Set(rows.map(({ id }) => id));
}

/** @throws StoreError `not-found` naming the first that is not known */
export function requireDatasets(known: ReadonlySet<unknown>, ids: readonly string[]): void {
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw notFound('dataset', missing);
}
