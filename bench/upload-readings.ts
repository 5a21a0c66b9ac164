import { createClient } from '@connectrpc/connect';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { DataSyncService, DataType } from '../src/gen/app/datasync/v1/data_sync_pb.ts';
import type { RealServer } from './real-server.ts';
import { sensorValues } from './sensor-rows.ts';

const rowsAnUpload = 1000;

/** Uploads readings of one sensor with times ten per second, ending now. */
export async function uploadReadings(
  { transport, partId }: Pick<RealServer, 'transport' | 'partId'>,
  rowCount: number,
): Promise<void> {
  const client = createClient(DataSyncService, transport);
  const startMs = Date.now() - rowCount * 100;
  for (let first = 0; first < rowCount; first += rowsAnUpload) {
    await client.dataCaptureUpload({
      metadata: { partId, type: DataType.TABULAR_SENSOR, componentName: 'probe', methodName: 'Readings' },
      sensorContents: Array.from({ length: rowsAnUpload }, (_, index) => ({
        metadata: { timeRequested: timestampFromMs(startMs + (first + index) * 100) },
        data: { case: 'struct', value: { readings: sensorValues(first + index) } },
      })),
    });
  }
}
