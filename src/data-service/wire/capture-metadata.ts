import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BinaryMetadataSchema, CaptureMetadataSchema } from '../../gen/app/data/v1/data_pb.ts';
import type { BinaryRecord, BoundingBox, CaptureOrigin, Classification } from '../ports/stored-captures.ts';
import { datasetIdsOf } from '../ports/capture-filter.ts';
import { safeExtension, safeFileName } from './file-names.ts';
import { unpackParameters } from './method-parameters.ts';
import { toTimestamp } from './timestamps.ts';

/** Where a capture came from, as clients see it. */
export function captureMetadata(
  origin: CaptureOrigin,
  mimeType: string,
): MessageInitShape<typeof CaptureMetadataSchema> {
  const { organizationId, locationId, robotId, robotName, partId, partName, componentType, componentName } = origin;
  return {
    organizationId,
    locationId,
    robotId,
    robotName,
    partId,
    partName,
    componentType,
    componentName,
    mimeType,
    methodName: origin.methodName,
    methodParameters: unpackParameters(origin.methodParameters),
    tags: [...origin.tags],
  };
}

/** Everything about a file but its bytes; `uri` is where those are fetched. */
export function binaryMetadata(record: BinaryRecord, uri: string): MessageInitShape<typeof BinaryMetadataSchema> {
  return {
    id: record.fileId,
    binaryDataId: record.id,
    captureMetadata: captureMetadata(record, record.mimeType),
    timeRequested: toTimestamp(record.timeRequested),
    timeReceived: toTimestamp(record.timeReceived),
    fileName: safeFileName(record.fileName),
    fileExt: safeExtension(record.fileExtension),
    fileSizeBytes: BigInt(record.sizeBytes),
    uri,
    annotations: {
      bboxes: record.boundingBoxes.map(optionalConfidence<BoundingBox>),
      classifications: record.classifications.map(optionalConfidence<Classification>),
    },
    datasetIds: datasetIdsOf(record.tags),
  };
}

const optionalConfidence = <Annotation extends { readonly confidence: number | null }>({
  confidence,
  ...annotation
}: Annotation): Omit<Annotation, 'confidence'> & { confidence?: number } => ({
  ...annotation,
  ...(confidence === null ? {} : { confidence }),
});
