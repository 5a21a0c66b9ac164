import type { UploadReceipt, UploadReceiptStore } from '../../../data-service/ports/upload-receipt.ts';
import { receiptExists } from '../../../data-service/ports/store-refusals.ts';
import { EntryTable } from './entry-table.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export const receiptTable = (database: SqliteDatabase): EntryTable<UploadReceipt> =>
  new EntryTable(database, 'receipts', ({ organizationId, uploadId, timeSynced }) => ({
    organization_id: organizationId,
    upload_id: uploadId,
    time_synced: timeSynced,
  }));

export function sqliteReceiptStore(database: SqliteDatabase): UploadReceiptStore {
  const receipts = receiptTable(database);
  return {
    get: (organizationId, uploadId) =>
      database.read(() => receipts.find({ organization_id: organizationId, upload_id: uploadId }) ?? null),
    deleteBefore: (time) =>
      database.write(() => database.run('DELETE FROM receipts WHERE time_synced < ?', time).changes),
  };
}

/** Keeps the receipt of an upload within its write. @throws StoreError already-exists */
export function keepReceipt(database: SqliteDatabase, receipt: UploadReceipt): void {
  const receipts = receiptTable(database);
  const { organizationId, uploadId } = receipt;
  if (receipts.find({ organization_id: organizationId, upload_id: uploadId })) throw receiptExists(uploadId);
  if (receipt.fromClient) receipts.insert(receipt);
}
