import type { Actor } from './audit-store.ts';
import type { Assignment } from './label-store.ts';
import type { BinaryRecord } from './stored-captures.ts';
import type { BinaryFilter, Scan, Summary } from './capture-filter.ts';
import type { UploadReceipt } from './upload-receipt.ts';

/**
 * A function from the record as it is to the record as it shall be. A store calls it inside the transaction that
 * writes the result, perhaps more than once, so it is synchronous and pure. It keeps `id`, `blobAddress` and the times.
 * Returning the very same object means "nothing to write"; throwing undoes the whole call and reaches the caller as it is.
 * `own`: the tasks of the record that the call's assignee has, as they are within the transaction.
 */
export type BinaryEdit = (record: BinaryRecord, own: readonly Assignment[]) => BinaryRecord;

export interface EditedBinary {
  readonly before: BinaryRecord;
  readonly after: BinaryRecord;
}

/**
 * The rows of files, stored beside their bytes. Every method is atomic: all of it happens or none, even if the host
 * dies, and its result is durable when the promise resolves. No lock is held between two calls.
 */
export interface BinaryStore {
  /**
   * Adds records of one upload, together with its receipt.
   * Every dataset whose tag a record bears must exist in the record's organization at that moment: else `not-found`
   * with the dataset id as subject. A receipt of the same organization and upload id: `already-exists`.
   */
  insert(records: readonly BinaryRecord[], receipt: UploadReceipt): Promise<void>;

  /** The records in the order of the ids, null for each id that this organization does not have. */
  get(organizationId: string, ids: readonly string[]): Promise<readonly (BinaryRecord | null)[]>;

  /** Up to `limit` matches beyond `after`, in order. Fewer than `limit` means that there are no more. */
  page(scan: Scan<BinaryFilter>): Promise<readonly BinaryRecord[]>;

  /** How many match, and their bytes together. */
  summarize(filter: BinaryFilter): Promise<Summary>;

  /**
   * Edits each record once (ids are distinct), all or nothing: an id that this organization does not have is
   * `not-found` with that id as subject. A dataset tag that the edit adds must name a dataset of the organization
   * (`not-found`, the dataset id as subject). Answers in the order of the ids. No task of these records changes
   * between the edit and its write.
   * @param assignee whose tasks the edit is given; absent: none
   */
  edit(
    organizationId: string,
    ids: readonly string[],
    edit: BinaryEdit,
    assignee?: Pick<Actor, 'kind' | 'id'>,
  ): Promise<readonly EditedBinary[]>;

  /** Removes those records that are there and returns them, so that the caller can delete their bytes. */
  delete(organizationId: string, ids: readonly string[]): Promise<readonly BinaryRecord[]>;

  /** The tags of all matches, each once, sorted by code unit. */
  distinctTags(filter: BinaryFilter): Promise<readonly string[]>;

  /** The box labels of all matches, each once, sorted by code unit. */
  distinctBoxLabels(filter: BinaryFilter): Promise<readonly string[]>;

  /** Which of these blob addresses belong to no record of any organization, so that a sweep may delete them. */
  unownedBlobs(addresses: readonly string[]): Promise<readonly string[]>;
}
