import type { Micros } from './capture.ts';

/**
 * What an upload was answered with, kept under the id its client gave it, so that sending it again stores nothing.
 * Unique on (organization, upload id). A client that gives no id gets a fresh one: every upload leaves a receipt
 * shaped alike, and only those with `fromClient` need to be kept.
 */
export interface UploadReceipt {
  readonly organizationId: string;
  readonly uploadId: string;
  readonly fromClient: boolean;
  readonly fileId: string;
  /** '' for tabular data */
  readonly binaryDataId: string;
  readonly timeSynced: Micros;
}

export interface UploadReceiptStore {
  /** The receipt kept under this client-given id, or null. */
  get(organizationId: string, uploadId: string): Promise<UploadReceipt | null>;
  /** Forgets receipts synced before `time`; returns how many. */
  deleteBefore(time: Micros): Promise<number>;
}
