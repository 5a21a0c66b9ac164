import type { Micros } from './stored-captures.ts';

/**
 * The answer to an upload, stored under the id that its client gave it, so that sending it again stores nothing.
 * Unique by (organization, upload id). An upload without an id gets one that follows from what was captured, or else a fresh
 * one: every upload has a receipt, and only those with `fromClient` must be kept.
 */
export interface UploadReceipt {
  readonly organizationId: string;
  readonly uploadId: string;
  /** whether the same upload, sent again, has the same id */
  readonly fromClient: boolean;
  readonly fileId: string;
  /** '' for tabular data */
  readonly binaryDataId: string;
  readonly timeSynced: Micros;
}

export interface UploadReceiptStore {
  /** The receipt kept under this id, or null. */
  get(organizationId: string, uploadId: string): Promise<UploadReceipt | null>;
  /** Deletes receipts synced before `time`; resolves to the number. */
  deleteBefore(time: Micros): Promise<number>;
}
