import type { ServiceImpl } from '@connectrpc/connect';
import type { DataSyncService } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { uploadCapture } from './data-capture-upload.ts';
import { uploadCaptureStream, uploadFile } from './file-upload.ts';

/** The upload operations for captured data. */
export function dataSyncRoutes(dependencies: DataServiceDependencies): ServiceImpl<typeof DataSyncService> {
  const idsOnly = ({ fileId, binaryDataId }: { readonly fileId: string; readonly binaryDataId: string }) => ({
    fileId,
    binaryDataId,
  });
  return {
    dataCaptureUpload: async (request, context) => idsOnly(await uploadCapture(dependencies, request, context)),
    fileUpload: async (messages, context) => idsOnly(await uploadFile(dependencies, messages, context)),
    streamingDataCaptureUpload: async (messages, context) =>
      idsOnly(await uploadCaptureStream(dependencies, messages, context)),
  };
}
