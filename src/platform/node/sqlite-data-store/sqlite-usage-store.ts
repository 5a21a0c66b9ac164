import type { Organization } from '../../../data-service/face/accounts.ts';
import type { Summary } from '../../../data-service/face/captures.ts';
import {
  noUsage,
  requireQuota,
  sentBytes,
  sumByOrganization,
  type Usage,
  type UsageStore,
} from '../../../data-service/face/stores.ts';
import { readEntry } from './entry-table.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** The kinds that are counted here; triggers count the rest. */
type Kind = 'files' | 'readings';

/** Written in SQL, not over `Tables`: sums to which triggers and the writes of captures add, so that asking counts no rows. */
export const sqliteUsageStore = (database: SqliteDatabase): UsageStore => ({
  of: (organizationIds) => database.read(() => organizationIds.map((id) => usageOf(database, id))),
});

/** Counts rows that a write adds. @throws StoreError `resource-exhausted` where an organization has no room for them */
export function countAdded(
  database: SqliteDatabase,
  kind: Kind,
  rows: readonly { readonly organizationId: string; readonly sizeBytes: number }[],
): void {
  for (const [organizationId, added] of sumByOrganization(rows)) {
    const found = database.get('SELECT entry FROM organizations WHERE id = ?', organizationId);
    const quotaBytes = found && readEntry<Organization>(found['entry']).quotaBytes;
    requireQuota(quotaBytes, sentBytes(usageOf(database, organizationId)), added.totalSizeBytes);
    count(database, kind, organizationId, 1, added);
  }
}

/** Counts rows of an organization that a write has deleted. */
export function countDeleted(database: SqliteDatabase, kind: Kind, organizationId: string, deleted: Summary): void {
  if (deleted.count > 0) count(database, kind, organizationId, -1, deleted);
}

const columnsOf = { files: ['file_count', 'file_bytes'], readings: ['reading_count', 'reading_bytes'] } as const;

function count(
  database: SqliteDatabase,
  kind: Kind,
  organizationId: string,
  sign: 1 | -1,
  { count: rows, totalSizeBytes }: Summary,
): void {
  const [counts, bytes] = columnsOf[kind];
  database.run(
    `INSERT INTO usage (organization_id, ${counts}, ${bytes}) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET ${counts} = ${counts} + excluded.${counts}, ${bytes} = ${bytes} + excluded.${bytes}`,
    organizationId,
    sign * rows,
    sign * totalSizeBytes,
  );
}

function usageOf(database: SqliteDatabase, organizationId: string): Usage {
  const found = database.get(
    `SELECT file_count, file_bytes, reading_count, reading_bytes, labelling_count, labelling_bytes
     FROM usage WHERE organization_id = ?`,
    organizationId,
  ) as Record<(typeof columnsOf)[Kind][number] | 'labelling_count' | 'labelling_bytes', number> | undefined;
  if (found === undefined) return noUsage;
  return {
    files: { count: found.file_count, totalSizeBytes: found.file_bytes },
    readings: { count: found.reading_count, totalSizeBytes: found.reading_bytes },
    labelling: { count: found.labelling_count, totalSizeBytes: found.labelling_bytes },
  };
}
