import type { TabularRow, BinaryRecord } from '../../../../data-service/ports/stored-captures.ts';
import {
  everyFileOf,
  everyReadingOf,
  type BinaryFilter,
  type TabularFilter,
} from '../../../../data-service/ports/capture-filter.ts';
import {
  requireQuota,
  sumByOrganization,
  usedBytes,
  type Usage,
  type UsageStore,
} from '../../../../data-service/ports/usage-store.ts';
import type { IdbCaptures } from './idb-captures.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { ReadTransaction, WriteTransaction } from './schema.ts';

/** What organizations store: the sums of the tallies of their streams, which few days have. */
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
        database.read(['streams', 'tallies'], (transaction) =>
          Promise.all(organizationIds.map((id) => this.#of(transaction, id))),
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
      requireQuota(quotaBytes, usedBytes(await this.#of(transaction, id)) - totalSizeBytes, totalSizeBytes);
    }
  }

  async #of(transaction: ReadTransaction | WriteTransaction, organizationId: string): Promise<Usage> {
    const [files, readings] = await Promise.all([
      this.#binary.summarize(transaction, everyFileOf(organizationId)),
      this.#tabular.summarize(transaction, everyReadingOf(organizationId)),
    ]);
    return { files, readings };
  }
}
