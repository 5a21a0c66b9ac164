import type {
  BinaryRecord,
  BoundingBox,
  CaptureOrigin,
  TabularRow,
} from '../../../src/data-service/ports/stored-captures.ts';
import {
  everythingOf,
  type BinaryFilter,
  type Scan,
  type TabularFilter,
} from '../../../src/data-service/ports/capture-filter.ts';
import type { UploadReceipt } from '../../../src/data-service/ports/upload-receipt.ts';

const origin: CaptureOrigin = {
  organizationId: 'org',
  locationId: 'loc',
  robotId: 'robot',
  robotName: 'rover',
  partId: 'part',
  partName: 'rover-main',
  componentType: 'rdk:component:camera',
  componentName: 'front',
  methodName: 'ReadImage',
  methodParameters: { size: { typeUrl: 'type.googleapis.com/google.protobuf.Int32Value', value: Uint8Array.of(8, 5) } },
  internal: false,
  timeRequested: 1_700_000_000_000_001,
  timeReceived: 1_700_000_000_000_002,
  timeSynced: 1_700_000_000_000_003,
  tags: [],
};

export const binaryRecord = (id: string, changes: Partial<BinaryRecord> = {}): BinaryRecord => ({
  ...origin,
  id,
  fileId: id,
  fileName: `${id}.jpg`,
  fileExtension: '.jpg',
  mimeType: 'image/jpeg',
  sizeBytes: 100,
  sha256: '00',
  blobAddress: `blob-of-${id}`,
  boundingBoxes: [],
  classifications: [],
  ...changes,
});

export const tabularRow = (id: string, changes: Partial<TabularRow> = {}): TabularRow => ({
  ...origin,
  componentType: 'rdk:component:sensor',
  methodName: 'Readings',
  id,
  additionalParameters: '',
  payload: { readings: { temp: 20.5, ok: true } },
  sizeBytes: 10,
  ...changes,
});

export const box = (label: string): BoundingBox => ({
  id: `box-${label}`,
  label,
  xMinNormalized: 0.1,
  yMinNormalized: 0.2,
  xMaxNormalized: 0.3,
  yMaxNormalized: 0.4,
  confidence: null,
});

const everyCapture = { ...everythingOf('org'), includeInternal: false };

export const binaryFilter = (changes: Partial<BinaryFilter> = {}): BinaryFilter => ({
  ...everyCapture,
  mimeTypes: [],
  boxLabels: [],
  datasetId: '',
  ...changes,
});

export const tabularFilter = (changes: Partial<TabularFilter> = {}): TabularFilter => ({
  ...everyCapture,
  additionalParameters: null,
  ...changes,
});

export function scanOf<Filter extends BinaryFilter | TabularFilter>(
  filter: Filter,
  changes: Partial<Scan<Filter>> = {},
): Scan<Filter> {
  return { filter, order: 'ascending', after: null, limit: 50, ...changes };
}

let uploads = 0;

/** The receipt of an upload without a client's id. */
export const anonymousReceipt = (): UploadReceipt => clientReceipt(`anonymous-${++uploads}`, { fromClient: false });

export const clientReceipt = (uploadId: string, changes: Partial<UploadReceipt> = {}): UploadReceipt => ({
  organizationId: 'org',
  uploadId,
  fromClient: true,
  fileId: `file-of-${uploadId}`,
  binaryDataId: `org/loc/file-of-${uploadId}`,
  timeSynced: 5,
  ...changes,
});

export const idsOf = (captures: readonly { readonly id: string }[]): readonly string[] => captures.map(({ id }) => id);
