import { deserialize } from 'node:v8';
import type { Organization } from '../../../data-service/face/accounts.ts';
import type { Summary } from '../../../data-service/face/captures.ts';
import {
  noUsage,
  requireQuota,
  sumByOrganization,
  type Usage,
  type UsageStore,
} from '../../../data-service/face/stores.ts';
import type { PostgresDatabase, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

/** The kinds that are counted here; triggers count the rest. */
type Kind = 'files' | 'readings';

/** Written in SQL, not over `Tables`: sums to which triggers and the writes of captures add, so that asking counts no rows. */
export const postgresUsageStore = (database: PostgresDatabase): UsageStore => ({
  async of(organizationIds) {
    // A host of an older version counts nothing. When what it stored is deleted, a sum falls below zero, which no answer can hold.
    const sums = ['files', 'file_bytes', 'readings', 'reading_bytes', 'labelling', 'labelling_bytes'].map(
      (name) => `greatest(0, sum(${name}))::bigint AS ${name}`,
    );
    const rows = await database.rows(
      `SELECT organization_id AS id, ${sums.join()}
       FROM usage_counts WHERE organization_id = ANY ($1::text[]) GROUP BY organization_id`,
      organizationIds.map(textKey),
    );
    const found = new Map(rows.map(({ id, ...counts }) => [id, usageOf(counts as unknown as Counts)]));
    return organizationIds.map((id) => found.get(textKey(id)) ?? noUsage);
  },
});

interface Counts {
  readonly files: number;
  readonly file_bytes: number;
  readonly readings: number;
  readonly reading_bytes: number;
  readonly labelling: number;
  readonly labelling_bytes: number;
}

const usageOf = (counts: Counts): Usage => ({
  files: { count: counts.files, totalSizeBytes: counts.file_bytes },
  readings: { count: counts.readings, totalSizeBytes: counts.reading_bytes },
  labelling: { count: counts.labelling, totalSizeBytes: counts.labelling_bytes },
});

/** Counts rows that a write adds. @throws StoreError `resource-exhausted` where an organization has no room for them */
export async function countAdded(
  statements: Statements,
  kind: Kind,
  rows: readonly { readonly organizationId: string; readonly sizeBytes: number }[],
): Promise<void> {
  for (const [organizationId, added] of sumByOrganization(rows)) {
    const { quotaBytes, storedBytes } = await count(statements, kind, organizationId, 1, added);
    requireQuota(quotaBytes, storedBytes, added.totalSizeBytes);
  }
}

/** Counts rows of an organization that a write has deleted. */
export async function countDeleted(
  statements: Statements,
  kind: Kind,
  organizationId: string,
  deleted: Summary,
): Promise<void> {
  if (deleted.count > 0) await count(statements, kind, organizationId, -1, deleted);
}

/**
 * Adds to any row of counts that no other write holds, or to a new one where all are held: writes of an organization do not wait
 * for each other, and there are as many rows as there ever were writes at once. Resolves to what was stored before.
 */
async function count(
  statements: Statements,
  kind: Kind,
  organizationId: string,
  sign: 1 | -1,
  { count: rows, totalSizeBytes }: Summary,
): Promise<{ readonly quotaBytes: number | undefined; readonly storedBytes: number }> {
  const [counts, bytes] = kind === 'files' ? ['files', 'file_bytes'] : ['readings', 'reading_bytes'];
  const found = await statements.row(
    `WITH free AS (
       SELECT slot FROM usage_counts WHERE organization_id = $1 LIMIT 1 FOR UPDATE SKIP LOCKED
     ), counted AS (
       UPDATE usage_counts AS held SET ${counts} = held.${counts} + $2, ${bytes} = held.${bytes} + $3
       FROM free WHERE held.organization_id = $1 AND held.slot = free.slot
     ), begun AS (
       INSERT INTO usage_counts (organization_id, ${counts}, ${bytes})
       SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM free)
     )
     SELECT (SELECT entry FROM organizations WHERE organization_id = $1) AS organization,
       (SELECT coalesce(sum(file_bytes + reading_bytes), 0)::bigint FROM usage_counts WHERE organization_id = $1) AS bytes`,
    textKey(organizationId),
    sign * rows,
    sign * totalSizeBytes,
  );
  const entry = found!['organization'] as Uint8Array | null;
  const quotaBytes = entry === null ? undefined : (deserialize(entry) as Organization).quotaBytes;
  return { quotaBytes, storedBytes: found!['bytes'] as number };
}
