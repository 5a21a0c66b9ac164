import type { SensorMetadata, UploadMetadata } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { requireFewAnnotations } from '../annotation-rules/annotation-bounds.ts';
import type { BinaryRecord, Micros } from '../ports/stored-captures.ts';
import type { StoredBlob } from '../ports/blob-store.ts';
import type { UploadReceipt } from '../ports/upload-receipt.ts';
import { checkedExtension, checkedFileName } from '../wire/file-names.ts';
import { boundedName } from '../wire/invalid-argument.ts';
import { binaryDataId } from '../wire/binary-data-id.ts';
import { uploadAnnotations } from './annotations.ts';
import type { UploadedContent } from './capture-id.ts';
import { fileExtensionOf, mimeTypeOf } from '../wire/media-types.ts';
import type { UploadOrigin } from './upload-origin.ts';
import { settleReceipt, type OpenedReceipt } from './upload-receipts.ts';
import { withinQuota } from './within-quota.ts';

/** A checked file of an upload whose bytes are still to come. */
export type BinaryDraft = Omit<BinaryRecord, 'sizeBytes' | 'sha256' | 'blobAddress'>;

/** What an upload says of one capture, or of one file. */
export interface CaptureDescription {
  /** undefined: it is a file */
  readonly sensor: SensorMetadata | undefined;
  readonly timeRequested: Micros | null;
  readonly timeReceived: Micros | null;
}

/** What an upload says of one file apart from its origin. */
export interface FileDescription extends CaptureDescription {
  readonly fileId: string;
  readonly metadata: UploadMetadata;
  readonly timeSynced: Micros;
}

/** Checks and completes what an upload says of one file, before any byte of it is stored. */
export function draftBinary(
  { ids }: Pick<DataServiceDependencies, 'ids'>,
  origin: UploadOrigin,
  { fileId, metadata, sensor, timeSynced, ...times }: FileDescription,
): BinaryDraft {
  boundedName(metadata.fileName, 'file_name');
  boundedName(metadata.fileExtension, 'file_extension');
  const fileName = checkedFileName(metadata.fileName);
  const fileExtension = checkedExtension(fileExtensionOf(metadata.fileExtension, fileName));
  const mimeType = mimeTypeOf(metadata.mimeType, sensor?.mimeType, fileExtension);
  const annotations = uploadAnnotations(sensor?.annotations, mimeType, ids);
  requireFewAnnotations({ ...annotations, tags: origin.tags }, 'The file');
  boundedName(mimeType, 'mime_type');
  return {
    ...origin,
    fileId,
    fileExtension,
    mimeType,
    timeSynced,
    id: binaryDataId(origin.organizationId, origin.locationId, fileId),
    fileName: fileName || fileId + fileExtension,
    timeRequested: times.timeRequested ?? timeSynced,
    timeReceived: times.timeReceived ?? timeSynced,
    ...annotations,
  };
}

/** A file of an upload whose bytes are still to be read. */
export interface UploadedFile {
  readonly draft: BinaryDraft;
  readonly description: CaptureDescription;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Stores files, bytes first and then the rows: if the host dies in between, the sweep deletes the bytes, and there
 * is never a row without bytes. Returns the receipt for the answer, and whether an earlier call had stored it; a failure leaves nothing behind.
 */
export async function storeBinary(
  dependencies: Pick<DataServiceDependencies, 'store' | 'ids' | 'secrets'>,
  { metadata, files }: { readonly metadata: UploadMetadata; readonly files: readonly UploadedFile[] },
  receipt: UploadReceipt,
  signal: AbortSignal,
): Promise<OpenedReceipt> {
  const { blobs, binary } = dependencies.store;
  const held = await withinQuota(dependencies.store, receipt.organizationId);
  const stored: StoredBlob[] = [];
  const undo = async (): Promise<void> => {
    for (const { address } of stored) await blobs.delete(address);
  };
  const records: BinaryRecord[] = [];
  const contents: UploadedContent[] = [];
  try {
    for (const { draft, description, content } of files) {
      const blob = await blobs.put(held(content), signal);
      stored.push(blob);
      records.push({ ...draft, sizeBytes: blob.sizeBytes, sha256: blob.sha256, blobAddress: blob.address });
      contents.push({ ...description, content: blob.sha256 });
    }
    // A stream that is cancelled may end as if it were whole, and be reset only after that.
    signal.throwIfAborted();
  } catch (error) {
    await undo();
    throw error;
  }
  return settleReceipt(dependencies, receipt, {
    said: { metadata, contents },
    isThere: async ({ binaryDataId: id }) => (await binary.get(receipt.organizationId, [id]))[0] !== null,
    insert: (settled) => binary.insert(records, settled),
    undo,
  });
}
