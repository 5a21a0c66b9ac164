import type { HandlerContext } from '@connectrpc/connect';
import type { Principal } from '../access/principal.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { StoreError } from '../ports/store-error.ts';
import type { UploadReceipt } from '../ports/upload-receipt.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';

type ReceiptDependencies = Pick<DataServiceDependencies, 'store' | 'ids'>;

const uploadIdHeader = 'x-upload-id';

/** The receipt of a new upload, or the stored receipt if it was uploaded before. */
export async function openReceipt(
  { store, ids }: ReceiptDependencies,
  { organizationId }: Principal,
  partId: string,
  context: HandlerContext,
): Promise<{ readonly receipt: UploadReceipt; readonly stored: boolean }> {
  const sent = clientUploadId(context);
  // Upload ids are separate for each location: a key of another location with the same id must neither read this
  // answer nor lose data.
  const location = sent === null ? '' : ((await store.access.getPart(partId))?.locationId ?? '');
  const uploadId = sent === null ? null : `${location} ${sent}`;
  const earlier = uploadId === null ? null : await store.receipts.get(organizationId, uploadId);
  if (earlier !== null) return { receipt: earlier, stored: true };
  const identity = { uploadId: uploadId ?? ids.next(), fromClient: uploadId !== null };
  return {
    receipt: { organizationId, ...identity, fileId: ids.next(), binaryDataId: '', timeSynced: await store.now() },
    stored: false,
  };
}

/**
 * Stores an upload with its receipt and returns the receipt for the answer. If the same upload, sent twice at a
 * time, was stored by the other call first, that is the other receipt, and `undo` removes what this call stored.
 */
export async function settleReceipt(
  { store }: ReceiptDependencies,
  receipt: UploadReceipt,
  insert: () => Promise<void>,
  undo: () => Promise<void>,
): Promise<UploadReceipt> {
  try {
    await insert();
    return receipt;
  } catch (error) {
    // Only a refusal has certainly stored nothing; after a lost connection the sweep deletes unused bytes.
    if (error instanceof StoreError && error.code !== 'unavailable') await undo();
    const twice = error instanceof StoreError && error.code === 'already-exists' && receipt.fromClient;
    const earlier = twice ? await store.receipts.get(receipt.organizationId, receipt.uploadId) : null;
    if (earlier === null) throw permanent(error);
    return earlier;
  }
}

// A dataset that was deleted during the upload is as permanent an error for the client as one that never existed.
function permanent(error: unknown): unknown {
  const lostDataset = error instanceof StoreError && error.code === 'not-found';
  return lostDataset
    ? invalidArgument(`dataset_ids names ${error.subject}, which is no dataset of this organization.`)
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
