import { deserialize, serialize } from 'node:v8';
import type { UploadReceipt, UploadReceiptStore } from '../../../data-service/ports/upload-receipt.ts';
import { receiptExists } from '../../../data-service/ports/store-refusals.ts';
import type { PostgresDatabase, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

export function postgresReceiptStore(database: PostgresDatabase): UploadReceiptStore {
  return {
    async get(organizationId, uploadId) {
      const sql = 'SELECT entry FROM receipts WHERE organization_id = $1 AND upload_id = $2';
      const key = [organizationId, textKey(uploadId)];
      if ((await database.rows(sql, ...key)).length === 0) return null;
      // who reads a receipt acknowledges it. One that is on the primary alone, since the wait for its standby was cancelled or cut
      // off by a crash, is waited for again: a lock is written, and its commit comes after the receipt's
      const found = await database.write((statements) => statements.row(`${sql} FOR KEY SHARE`, ...key));
      return found === undefined ? null : (deserialize(found['entry'] as Uint8Array) as UploadReceipt);
    },
    deleteBefore: (time) =>
      database.write((statements) => statements.run('DELETE FROM receipts WHERE time_synced < $1', time)),
  };
}

/**
 * Keeps the receipt of an upload within its write. Of two writes under one upload id, the second waits here until the first has
 * ended. @throws StoreError already-exists
 */
export async function keepReceipt(statements: Statements, receipt: UploadReceipt): Promise<void> {
  const { organizationId, uploadId, fromClient, timeSynced } = receipt;
  const key = textKey(uploadId);
  const kept = fromClient
    ? await statements.run(
        'INSERT INTO receipts VALUES ($1, $2, $3, $4) ON CONFLICT (organization_id, upload_id) DO NOTHING',
        organizationId,
        key,
        timeSynced,
        serialize(receipt),
      )
    : Number(
        !(await statements.row(
          'SELECT 1 FROM receipts WHERE organization_id = $1 AND upload_id = $2',
          organizationId,
          key,
        )),
      );
  if (kept === 0) throw receiptExists(uploadId);
}
