import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { DataSyncService } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { uploadCapture } from './data-capture-upload.ts';
import { uploadCaptureStream, uploadFile } from './file-upload.ts';
import type { OpenedReceipt } from './upload-receipts.ts';

/**
 * Header of an answer to an upload, which Viam's messages have no field for. `now`: this call has stored all of the upload, durably,
 * as it was sent; `before`: an earlier call had, and what it stored may have been changed or deleted since.
 */
const storedHeader = 'sightglass-stored';

/** The upload operations for captured data. */
export function dataSyncRoutes(dependencies: DataServiceDependencies): ServiceImpl<typeof DataSyncService> {
  return {
    dataCaptureUpload: async (request, context) => answer(await uploadCapture(dependencies, request, context), context),
    fileUpload: async (messages, context) => answer(await uploadFile(dependencies, messages, context), context),
    streamingDataCaptureUpload: async (messages, context) =>
      answer(await uploadCaptureStream(dependencies, messages, context), context),
  };
}

function answer({ receipt, stored }: OpenedReceipt, { responseHeader }: HandlerContext) {
  responseHeader.set(storedHeader, stored ? 'before' : 'now');
  const { fileId, binaryDataId } = receipt;
  return { fileId, binaryDataId };
}
