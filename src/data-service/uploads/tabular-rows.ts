import { create, toBinary, type JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { SensorDataSchema, type SensorMetadata, type UploadMetadata } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import type { TabularRow } from '../ports/stored-captures.ts';
import type { UploadReceipt } from '../ports/upload-receipt.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { parametersText } from '../wire/method-parameters.ts';
import { fromTimestamp } from '../wire/timestamps.ts';
import type { UploadOrigin } from './upload-origin.ts';

/** One reading of an upload, and its own times. */
export interface TabularReading {
  readonly sensor: SensorMetadata | undefined;
  readonly payload: JsonObject;
}

const maxRecordBytes = 4_000_000;

/**
 * Makes a row of each reading, with the upload's metadata. Rows of equal time keep the order in which they were
 * sent.
 * @throws ConnectError InvalidArgument if only some readings have times, ResourceExhausted for one over 4 MB
 */
export function tabularRows(
  origin: UploadOrigin,
  metadata: UploadMetadata,
  readings: readonly TabularReading[],
  { fileId, timeSynced }: UploadReceipt,
): readonly TabularRow[] {
  const timed = readings.filter(({ sensor }) => sensor !== undefined).length;
  if (timed !== 0 && timed !== readings.length) {
    throw invalidArgument(
      `${timed} of ${readings.length} readings have times; give a pair of times for each, or for none.`,
    );
  }
  if (readings.some(({ sensor }) => (sensor?.annotations?.bboxes.length ?? 0) > 0)) {
    throw invalidArgument('annotations.bboxes is given for tabular data; only images take boxes.');
  }
  const additionalParameters = parametersText(metadata.methodParameters);
  return readings.map(({ sensor, payload }, index) => ({
    ...origin,
    additionalParameters,
    payload,
    timeSynced,
    id: `${fileId}-${String(index).padStart(6, '0')}`,
    sizeBytes: recordBytes(payload, index),
    timeRequested: fromTimestamp(sensor?.timeRequested) ?? timeSynced,
    timeReceived: fromTimestamp(sensor?.timeReceived) ?? timeSynced,
  }));
}

function recordBytes(payload: JsonObject, index: number): number {
  const bytes = toBinary(
    SensorDataSchema,
    create(SensorDataSchema, { data: { case: 'struct', value: payload } }),
  ).length;
  if (bytes > maxRecordBytes) {
    throw new ConnectError(
      `sensor_contents[${index}] has ${bytes} bytes; a tabular record takes at most ${maxRecordBytes}.`,
      Code.ResourceExhausted,
    );
  }
  return bytes;
}
