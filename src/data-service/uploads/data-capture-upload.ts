import type { HandlerContext } from '@connectrpc/connect';
import {
  DataType,
  type DataCaptureUploadRequest,
  type SensorData,
  type UploadMetadata,
} from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { insertDelay } from '../pipelines/run-timing.ts';
import { datasetIdsOf, everythingOf } from '../ports/capture-filter.ts';
import type { TabularRow } from '../ports/stored-captures.ts';
import type { TabularStore } from '../ports/tabular-store.ts';
import type { UploadReceipt } from '../ports/upload-receipt.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { canonicalParameters } from '../wire/method-parameters.ts';
import { describeSensor } from './file-upload.ts';
import { draftBinary, storeBinary } from './store-binary.ts';
import { tabularRows, type TabularReading } from './tabular-rows.ts';
import { uploadOrigin, type UploadOrigin } from './upload-origin.ts';
import { openReceipt, settleReceipt, type OpenedReceipt } from './upload-receipts.ts';

interface BinaryCapture {
  readonly sensor: SensorData['metadata'];
  readonly bytes: Uint8Array;
}

/** Stores what a component captured: readings as rows, or pictures and the like as files. All of it or nothing. */
export async function uploadCapture(
  dependencies: DataServiceDependencies,
  { metadata, sensorContents }: DataCaptureUploadRequest,
  context: HandlerContext,
): Promise<OpenedReceipt> {
  if (metadata === undefined) throw invalidArgument('metadata is missing; it names the part.');
  if (sensorContents.length === 0) throw invalidArgument('sensor_contents is empty; send at least one capture.');
  const principal = principalOf(context);
  const opened = await openReceipt(dependencies, principal, metadata.partId, context);
  if (opened.stored) return opened;
  const { receipt } = opened;
  const origin = await uploadOrigin(dependencies, principal, metadata);
  if (kindOf(metadata, sensorContents) === 'tabular') {
    requireNoDatasets(origin);
    return storeReadings(dependencies, origin, metadata, tabularReadings(sensorContents), receipt);
  }
  return storeCaptures(dependencies, origin, metadata, binaryCaptures(sensorContents), receipt, context.signal);
}

function requireNoDatasets({ tags }: UploadOrigin): void {
  const [datasetId] = datasetIdsOf(tags);
  if (datasetId === undefined) return;
  throw invalidArgument(`dataset_ids names ${datasetId} for tabular data; datasets hold binary data.`);
}

async function storeReadings(
  dependencies: DataServiceDependencies,
  origin: UploadOrigin,
  metadata: UploadMetadata,
  readings: readonly TabularReading[],
  receipt: UploadReceipt,
): Promise<OpenedReceipt> {
  const { tabular } = dependencies.store;
  const rows = tabularRows(origin, metadata, readings, receipt);
  const contents = readings.map(({ sensor, payload }) => ({
    ...describeSensor(sensor),
    content: canonicalParameters(payload),
  }));
  return settleReceipt(dependencies, receipt, {
    said: { metadata, contents },
    isThere: (earlier) => isRowThere(tabular, rows.at(-1)!, earlier),
    // later it would be missed by pipelines, which look for what was synced of late
    insert: (settled) => tabular.insert(rows, settled, receipt.timeSynced + insertDelay),
    undo: async () => undefined,
  });
}

/** Whether rows of an earlier upload of the same readings are there at the time of this one. */
async function isRowThere(tabular: TabularStore, row: TabularRow, { fileId }: UploadReceipt): Promise<boolean> {
  const { organizationId, partId, componentName, timeRequested: time } = row;
  const filter = { ...everythingOf(organizationId), partId, componentName, additionalParameters: null };
  const [found] = await tabular.page({ filter, order: 'ascending', after: { time, id: `${fileId}-` }, limit: 1 });
  return found !== undefined && found.id.startsWith(`${fileId}-`);
}

// Machines send one picture a call. Several become a record each; the answer has room for the first one's id.
async function storeCaptures(
  dependencies: DataServiceDependencies,
  origin: UploadOrigin,
  metadata: UploadMetadata,
  captures: readonly BinaryCapture[],
  receipt: UploadReceipt,
  signal: AbortSignal,
): Promise<OpenedReceipt> {
  const { timeSynced } = receipt;
  const files = captures.map(({ sensor, bytes }, index) => {
    const fileId = index === 0 ? receipt.fileId : dependencies.ids.next();
    const description = describeSensor(sensor);
    const draft = draftBinary(dependencies, origin, { ...description, fileId, metadata, timeSynced });
    return { draft, description, content: once(bytes) };
  });
  return storeBinary(dependencies, { metadata, files }, { ...receipt, binaryDataId: files[0]!.draft.id }, signal);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bytes.length > 0) yield bytes;
}

function kindOf({ type }: UploadMetadata, contents: readonly SensorData[]): 'tabular' | 'binary' {
  switch (type) {
    case DataType.TABULAR_SENSOR:
      return 'tabular';
    case DataType.BINARY_SENSOR:
      return 'binary';
    case DataType.UNSPECIFIED:
      return contents[0]!.data.case === 'struct' ? 'tabular' : 'binary';
    default:
      throw invalidArgument(
        `metadata.type is ${type === DataType.FILE ? 'DATA_TYPE_FILE' : type}; send captures of sensors here, and files by FileUpload.`,
      );
  }
}

function tabularReadings(contents: readonly SensorData[]): TabularReading[] {
  return contents.map(({ metadata: sensor, data }, index) => {
    if (data.case !== 'struct') throw wrongContent(index, data.case, 'struct');
    return { sensor, payload: data.value };
  });
}

function binaryCaptures(contents: readonly SensorData[]): BinaryCapture[] {
  return contents.map(({ metadata: sensor, data }, index) => {
    if (data.case !== 'binary') throw wrongContent(index, data.case, 'binary');
    return { sensor, bytes: data.value };
  });
}

const wrongContent = (index: number, found: string | undefined, wanted: 'struct' | 'binary') =>
  invalidArgument(
    `sensor_contents[${index}] has ${found ?? 'no data'}; every content of this upload must have ${wanted}.`,
  );
