import type { UploadReceipt, UploadReceiptStore } from '../../../../data-service/ports/upload-receipt.ts';
import { receiptExists } from '../../../../data-service/ports/store-refusals.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { WriteTransaction } from './schema.ts';

export function idbReceiptStore(database: IdbDatabase): UploadReceiptStore {
  return {
    get: (organizationId, uploadId) =>
      database.read(
        ['receipts'],
        async (transaction) => (await transaction.objectStore('receipts').get([organizationId, uploadId])) ?? null,
      ),
    deleteBefore: (time) =>
      database.write(['receipts'], async (transaction) => {
        const receipts = transaction.objectStore('receipts');
        const old = await receipts.index('time').getAllKeys(IDBKeyRange.upperBound(time, true));
        await Promise.all(old.map((key) => receipts.delete(key)));
        return old.length;
      }),
  };
}

/** Keeps the receipt of an upload within its write. @throws StoreError already-exists */
export async function keepReceipt(transaction: WriteTransaction, receipt: UploadReceipt): Promise<void> {
  if (!receipt.fromClient) return; // of an id that was made here there is none yet, and none is asked for again
  const receipts = transaction.objectStore('receipts');
  const { organizationId, uploadId } = receipt;
  if ((await receipts.getKey([organizationId, uploadId])) !== undefined) throw receiptExists(uploadId);
  await receipts.add(receipt);
}
