import type { AuditRow } from '../../../../data-service/face/accounts.ts';
import {
  type BinaryFilter,
  type BinaryRecord,
  countedChanges,
  everyFileOf,
  everyReadingOf,
  type Summary,
  type TabularFilter,
  type TabularRow,
} from '../../../../data-service/face/captures.ts';
import {
  requireQuota,
  sentBytes,
  sumByOrganization,
  type Usage,
  type UsageStore,
} from '../../../../data-service/face/stores.ts';
import type { IdbCaptures } from './idb-captures.ts';
import type { IdbDatabase } from './idb-database.ts';
import { readRange, type RangeSource } from './read-range.ts';
import type { ReadTransaction, WriteTransaction } from './schema.ts';

/** Rows of the audit that are read at a time. */
const rowsAtOnce = 500;

/**
 * What organizations store: the sums of the tallies of their streams, which few days have, and what people make of captures, which is
 * counted when it is asked for. Not over `Tables`, where neither streams nor tallies are.
 */
export class IdbUsage {
  readonly #binary: IdbCaptures<BinaryRecord, BinaryFilter>;
  readonly #tabular: IdbCaptures<TabularRow, TabularFilter>;

  constructor(binary: IdbCaptures<BinaryRecord, BinaryFilter>, tabular: IdbCaptures<TabularRow, TabularFilter>) {
    this.#binary = binary;
    this.#tabular = tabular;
  }

  store(database: IdbDatabase): UsageStore {
    return {
      of: (organizationIds) =>
        database.read(
          ['streams', 'tallies', 'labelTasks', 'labelComments', 'labelSchemes', 'auditRows'],
          (transaction) =>
            Promise.all(
              organizationIds.map(async (id) => ({
                ...(await this.#capturesOf(transaction, id)),
                labelling: await labellingOf(transaction, id),
              })),
            ),
        ),
    };
  }

  /**
   * Holds rows to the quotas of their organizations, behind the steps of a write that add them: it holds `organizations` too.
   * @throws StoreError `resource-exhausted`
   */
  async requireQuotas(transaction: WriteTransaction, rows: readonly (BinaryRecord | TabularRow)[]): Promise<void> {
    for (const [id, { totalSizeBytes }] of sumByOrganization(rows)) {
      const quotaBytes = (await transaction.objectStore('organizations').get(id))?.quotaBytes;
      if (quotaBytes === undefined) continue; // most have none, and need no sum
      const storedBytes = sentBytes(await this.#capturesOf(transaction, id));
      requireQuota(quotaBytes, storedBytes - totalSizeBytes, totalSizeBytes);
    }
  }

  async #capturesOf(
    transaction: ReadTransaction | WriteTransaction,
    organizationId: string,
  ): Promise<Pick<Usage, 'files' | 'readings'>> {
    const [files, readings] = await Promise.all([
      this.#binary.summarize(transaction, everyFileOf(organizationId)),
      this.#tabular.summarize(transaction, everyReadingOf(organizationId)),
    ]);
    return { files, readings };
  }
}

/** What people make of captures, as JSON. */
async function labellingOf(transaction: ReadTransaction, organizationId: string): Promise<Summary> {
  let [count, totalSizeBytes] = [0, 0];
  const add = (rows: readonly object[]): void => {
    count += rows.length;
    for (const row of rows) totalSizeBytes += JSON.stringify(row).length;
  };
  const own = IDBKeyRange.bound([organizationId], [organizationId, []]);
  const tasks = await transaction.objectStore('labelTasks').index('by').getAll(own);
  add(tasks.map(({ task }) => task));
  add(await transaction.objectStore('labelComments').index('image').getAll(own));
  add(await transaction.objectStore('labelSchemes').getAll(own));
  const audit = transaction.objectStore('auditRows') as unknown as RangeSource<AuditRow>;
  for (let from: IDBValidKey[] = [organizationId], isMore = true; isMore;) {
    const range = IDBKeyRange.bound(from, [organizationId, []], from.length > 1);
    const rows = await readRange(audit, range, 'ascending', rowsAtOnce);
    add(rows.filter(({ what }) => countedChanges.includes(what)));
    isMore = rows.length === rowsAtOnce;
    const last = rows.at(-1);
    if (last !== undefined) from = [organizationId, last.time, last.id];
  }
  return { count, totalSizeBytes };
}
