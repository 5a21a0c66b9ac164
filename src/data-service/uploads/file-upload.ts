import type { HandlerContext } from '@connectrpc/connect';
import {
  DataType,
  type FileUploadRequest,
  type SensorMetadata,
  type StreamingDataCaptureUploadRequest,
  type UploadMetadata,
} from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { fromTimestamp } from '../wire/timestamps.ts';
import { readPackets, type Packet } from './read-packets.ts';
import { draftBinary, storeBinary, type CaptureDescription } from './store-binary.ts';
import { uploadOrigin } from './upload-origin.ts';
import { openReceipt, type OpenedReceipt } from './upload-receipts.ts';

/** Stores a file from disk as it streams in. Its times are those of the file. */
export async function uploadFile(
  dependencies: DataServiceDependencies,
  messages: AsyncIterable<FileUploadRequest>,
  context: HandlerContext,
): Promise<OpenedReceipt> {
  const { metadata, content } = await readPackets(messages, filePacket, dependencies.limits.maxUploadBytes);
  return storeStream(dependencies, context, metadata, content, {
    sensor: undefined,
    timeRequested: fromTimestamp(metadata.fileCreateTime),
    timeReceived: fromTimestamp(metadata.fileModifyTime),
  });
}

/** Stores one capture of a component as it streams in. */
export async function uploadCaptureStream(
  dependencies: DataServiceDependencies,
  messages: AsyncIterable<StreamingDataCaptureUploadRequest>,
  context: HandlerContext,
): Promise<OpenedReceipt> {
  const { metadata, content } = await readPackets(messages, capturePacket, dependencies.limits.maxUploadBytes);
  if (metadata.uploadMetadata === undefined)
    throw invalidArgument('metadata.upload_metadata is missing; it names the part.');
  return storeStream(dependencies, context, metadata.uploadMetadata, content, describeSensor(metadata.sensorMetadata));
}

/** What a sensor says of one capture. */
export const describeSensor = (sensor: SensorMetadata | undefined): CaptureDescription => ({
  sensor,
  timeRequested: fromTimestamp(sensor?.timeRequested),
  timeReceived: fromTimestamp(sensor?.timeReceived),
});

async function storeStream(
  dependencies: DataServiceDependencies,
  context: HandlerContext,
  metadata: UploadMetadata,
  content: AsyncIterable<Uint8Array>,
  description: CaptureDescription,
): Promise<OpenedReceipt> {
  if (metadata.type === DataType.TABULAR_SENSOR) {
    throw invalidArgument('metadata.type is DATA_TYPE_TABULAR_SENSOR; send tabular data by DataCaptureUpload.');
  }
  const principal = principalOf(context);
  const opened = await openReceipt(dependencies, principal, metadata.partId, context);
  // If the file was uploaded before, its stream is not read: the client gets the stored receipt at once.
  if (opened.stored) return opened;
  const origin = await uploadOrigin(dependencies, principal, metadata);
  const { receipt } = opened;
  const { fileId, timeSynced } = receipt;
  const draft = draftBinary(dependencies, origin, { ...description, fileId, metadata, timeSynced });
  const upload = { metadata, files: [{ draft, description, content }] };
  return storeBinary(dependencies, upload, { ...receipt, binaryDataId: draft.id }, context.signal);
}

function filePacket({ uploadPacket }: FileUploadRequest): Packet<UploadMetadata> {
  if (uploadPacket.case === 'metadata') return { kind: 'metadata', metadata: uploadPacket.value };
  return uploadPacket.case === undefined ? null : { kind: 'content', bytes: uploadPacket.value.data };
}

function capturePacket({ uploadPacket }: StreamingDataCaptureUploadRequest) {
  if (uploadPacket.case === 'metadata') return { kind: 'metadata', metadata: uploadPacket.value } as const;
  return uploadPacket.case === undefined ? null : ({ kind: 'content', bytes: uploadPacket.value } as const);
}
