import { receiptExists } from '../../../data-service/face/stores.ts';
import type { UploadReceipt, UploadReceiptStore } from '../../../data-service/face/captures.ts';
import type { Steps } from '../steps.ts';
import type { TableStore, WriteTables } from '../tables.ts';
import { receipts } from './entity-tables.ts';

export const receiptStore = (store: TableStore): UploadReceiptStore => ({
  get: (organizationId, uploadId) => store.confirm(receipts, { organizationId, uploadId }),
  deleteBefore: (time) =>
    store.write([receipts], (tables) => tables.delete(receipts, { where: {}, order: ['timeSynced'], before: [time] })),
});

/**
 * Keeps the receipt of an upload within its write. Of two writes under one upload id at once, the second waits here until the first has
 * ended.
 * @throws StoreError `already-exists`
 */
export function* keepReceipt(tables: WriteTables, receipt: UploadReceipt): Steps<void> {
  const { organizationId, uploadId, fromClient } = receipt;
  const isNew = fromClient
    ? yield* tables.insert(receipts, receipt)
    : (yield* tables.find(receipts, { organizationId, uploadId })) === null;
  if (!isNew) throw receiptExists(uploadId);
}
