import { create, type JsonObject } from '@bufbuild/protobuf';
import { TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { DataType } from '../../../../gen/app/datasync/v1/data_sync_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { contentHash } from './content-hash.ts';
import type { RowsTable } from './read-rows.ts';
import { readTimeMicros } from './read-time.ts';

/** How a table becomes readings. */
export interface RowsPlan {
  readonly table: RowsTable;
  readonly componentName: string;
  /** '': none; the rows get the file's time, a millisecond apart */
  readonly timeColumn: string;
  readonly tags: readonly string[];
}

const batchRows = 500;
const mostDeletions = 50;
const componentType = 'rdk:component:sensor';

/**
 * Stores the rows of a file as readings, in batches of some hundred, each batch once: sent again after a failure,
 * stored rows are not duplicated. @throws ConnectError
 */
export async function uploadRows(
  context: Pick<DataContext, 'data' | 'sync' | 'home'>,
  file: File,
  plan: RowsPlan,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (sentRows: number) => void },
): Promise<void> {
  const settings = JSON.stringify([plan.componentName, plan.timeColumn]);
  const hash = await contentHash(new Blob([file, settings]), signal);
  const times = rowTimes(file, plan);
  const { rows } = plan.table;
  for (let round = 1; round <= mostDeletions; round++) {
    for (let start = 0; start < rows.length; start += batchRows) {
      signal.throwIfAborted();
      const sensorContents = rows
        .slice(start, start + batchRows)
        .map((readings, at) => ({
          metadata: { timeRequested: stamp(times[start + at]!), timeReceived: stamp(times[start + at]!) },
          data: { case: 'struct' as const, value: { readings: withoutTime(readings, plan.timeColumn) } },
        }));
      const metadata = {
        partId: context.home.partId,
        type: DataType.TABULAR_SENSOR,
        componentType,
        componentName: plan.componentName,
        methodName: 'Readings',
        tags: [...plan.tags],
      };
      const headers = { 'x-upload-id': `rows-${hash}-${round}-${start}` };
      await context.sync.dataCaptureUpload({ metadata, sensorContents }, { headers, signal });
      if (start === 0 && !(await isThere(context, plan.componentName, times[0]!, signal))) break;
      onProgress(Math.min(rows.length, start + batchRows));
      if (start + batchRows >= rows.length) return;
    }
    // The upload id is known, but its rows were deleted: they are stored again under another id.
  }
  throw new ConnectError('These rows were imported and deleted too often.', Code.ResourceExhausted);
}

async function isThere(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  componentName: string,
  micros: number,
  signal: AbortSignal,
): Promise<boolean> {
  const interval = { start: stamp(micros), end: stamp(micros + 1) };
  const filter = { organizationIds: [home.organizationId], partId: home.partId, componentName, interval };
  const { count } = await data.tabularDataByFilter({ dataRequest: { filter }, countOnly: true }, { signal });
  return count > 0n;
}

function rowTimes(file: File, { table, timeColumn }: RowsPlan): readonly number[] {
  return table.rows.map((row, at) => {
    const micros = timeColumn === '' ? null : readTimeMicros(row[timeColumn]);
    return micros ?? (file.lastModified + at) * 1000;
  });
}

const withoutTime = (row: JsonObject, timeColumn: string): JsonObject =>
  timeColumn === '' ? row : Object.fromEntries(Object.entries(row).filter(([name]) => name !== timeColumn));

const stamp = (micros: number): Timestamp =>
  create(TimestampSchema, { seconds: BigInt(Math.floor(micros / 1e6)), nanos: (micros % 1e6) * 1000 });
