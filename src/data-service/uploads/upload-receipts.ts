import type { HandlerContext } from '@connectrpc/connect';
import type { UploadMetadata } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { isWithin } from '../access/place.ts';
import type { Principal } from '../ports/principal.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { StoreError } from '../ports/store-error.ts';
import type { UploadReceipt } from '../ports/upload-receipt.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { captureId, type UploadedContent } from './capture-id.ts';

type ReceiptDependencies = Pick<DataServiceDependencies, 'store' | 'ids'>;

const uploadIdHeader = 'x-upload-id';

export interface OpenedReceipt {
  readonly receipt: UploadReceipt;
  /** whether this is the receipt of an earlier call, which stored the upload */
  readonly stored: boolean;
}

/** The receipt of a new upload, or the stored receipt if it was uploaded before. */
export async function openReceipt(
  { store, ids }: ReceiptDependencies,
  principal: Principal,
  partId: string,
  context: HandlerContext,
): Promise<OpenedReceipt> {
  const { organizationId } = principal;
  const sent = clientUploadId(context);
  const uploadId = sent === null ? null : `${await uploadSpace(store, principal, partId)} ${sent}`;
  const earlier = uploadId === null ? null : await store.receipts.get(organizationId, uploadId);
  if (earlier !== null) return { receipt: earlier, stored: true };
  const identity = { uploadId: uploadId ?? ids.next(), fromClient: uploadId !== null };
  return {
    receipt: { organizationId, ...identity, fileId: ids.next(), binaryDataId: '', timeSynced: await store.now() },
    stored: false,
  };
}

/**
 * The scope in which an upload id is unique: the part's location, or for a key of one part that part. A key of another place with the
 * same id must neither read this answer nor lose data. '': the caller does not reach the part, and is refused later.
 */
async function uploadSpace(
  { access }: ReceiptDependencies['store'],
  principal: Principal,
  partId: string,
): Promise<string> {
  const part = await access.getPart(partId);
  if (part === null || !isWithin(principal, part)) return '';
  return principal.partId === null ? part.locationId : JSON.stringify([part.locationId, part.id]);
}

/** An upload that has been read whole, and what is to be done with it. */
interface Settlement {
  readonly said: { readonly metadata: UploadMetadata; readonly contents: readonly UploadedContent[] };
  /** Whether anything is left of what was stored with an earlier receipt. */
  readonly isThere: (earlier: UploadReceipt) => Promise<boolean>;
  readonly insert: (receipt: UploadReceipt) => Promise<void>;
  /** Removes what this call stored besides. */
  readonly undo: () => Promise<void>;
}

/**
 * Stores an upload with its receipt and returns the receipt for the answer. If the same upload, sent before or twice at a
 * time, was stored by another call, that is the other receipt, said to be stored, and nothing of this call stays.
 */
export async function settleReceipt(
  dependencies: Pick<DataServiceDependencies, 'store' | 'secrets'>,
  opened: UploadReceipt,
  { said, isThere, insert, undo }: Settlement,
): Promise<OpenedReceipt> {
  const { receipts } = dependencies.store;
  let receipt = opened;
  try {
    const known = await recognize(dependencies, opened, said, isThere);
    ({ receipt } = known);
    if (known.stored) await undo();
    else await insert(receipt);
    return known;
  } catch (error) {
    // Only a refusal has certainly stored nothing; after a lost connection the sweep deletes unused bytes.
    if (error instanceof StoreError && error.code !== 'unavailable') await undo();
    const twice = error instanceof StoreError && error.code === 'already-exists' && receipt.fromClient;
    const earlier = twice ? await receipts.get(receipt.organizationId, receipt.uploadId) : null;
    if (earlier === null) throw permanent(error);
    return { receipt: earlier, stored: true };
  }
}

/**
 * If its client gave no upload id: the receipt of the same captures that were sent before, or one by which they will be known
 * when they are sent again. What was deleted since is stored again.
 */
async function recognize(
  { store, secrets }: Pick<DataServiceDependencies, 'store' | 'secrets'>,
  receipt: UploadReceipt,
  { metadata, contents }: Settlement['said'],
  isThere: Settlement['isThere'],
): Promise<OpenedReceipt> {
  const id = receipt.fromClient ? null : await captureId(secrets, metadata, contents);
  if (id === null) return { receipt, stored: false };
  let uploadId = `capture  ${id}`; // two spaces, which no id of a client has
  for (;;) {
    const earlier = await store.receipts.get(receipt.organizationId, uploadId);
    if (earlier === null) return { receipt: { ...receipt, uploadId, fromClient: true }, stored: false };
    if (await isThere(earlier)) return { receipt: earlier, stored: true };
    uploadId = `capture  ${id} after ${earlier.fileId}`;
  }
}

// A dataset that was deleted during the upload is as permanent an error for the client as one that never existed.
function permanent(error: unknown): unknown {
  const lostDataset = error instanceof StoreError && error.code === 'not-found';
  return lostDataset
    ? invalidArgument(`dataset_ids names ${error.subject}, which is not a dataset of this organization.`)
    : error;
}

function clientUploadId({ requestHeader }: HandlerContext): string | null {
  const id = requestHeader.get(uploadIdHeader);
  if (id !== null && !/^[\x21-\x7e]{1,200}$/.test(id)) {
    throw invalidArgument(
      `${uploadIdHeader} is ${JSON.stringify(id.slice(0, 80))}; give 1 to 200 printable ASCII characters.`,
    );
  }
  return id;
}
