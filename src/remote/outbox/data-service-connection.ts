import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { createClient, type CallOptions, type Client, type Transport } from '@connectrpc/connect';
import { DataService, type BinaryMetadata } from '../../gen/app/data/v1/data_pb.ts';
import {
  DataCaptureUploadMetadataSchema,
  DataSyncService,
  DataType,
  type SensorMetadataSchema,
  type UploadMetadataSchema,
} from '../../gen/app/datasync/v1/data_sync_pb.ts';
import type { Authorize } from './access-tokens.ts';
import { gatheredReads } from './gathered-reads.ts';
import type { CaptureContent, ReadingsContent, UploadProgress } from './outbox-entry.ts';
import { imageBoxOf } from './image-box-of.ts';
import { isStoredNow } from './is-stored-now.ts';
import { toTimestamp } from './to-timestamp.ts';
import { uploadErrorOf, isNotFound } from './read-failure.ts';
import type { StoredParts, UploadConnection, UploadedCapture, UploadOptions } from './upload-connection.ts';

/** How to reach a host. */
export interface DataServiceEndpoint {
  /** Makes a transport; one that can measure the progress of a request reports it to `onProgress`. */
  readonly transport: (onProgress?: (progress: UploadProgress) => void) => Transport;
  /** whether the transport can stream requests: files are then sent in pieces (gRPC-Web cannot) */
  readonly streams: boolean;
  readonly partId: string;
  /** null: the host needs no token */
  readonly authorize: Authorize | null;
  /** Removes secrets from a message. */
  readonly redact: (message: string) => string;
}

const pieceBytes = 2 ** 20;
/** Progress is reported for images from this size on, in bytes: reporting costs as much as sending a small one. */
const toldFromBytes = 2 ** 18;
/** Time limit for a call's answer in ms; it grows with the size of the request. */
const patienceMs = 60_000;
const slowestBytesPerMs = 16;
const componentTypes = { capture: 'rdk:component:camera', readings: 'rdk:component:sensor' } as const;
const methodNames = { capture: 'ReadImage', readings: 'Readings' } as const;

/** The data service's public operations that the outbox uses. */
export function connectDataService(way: DataServiceEndpoint): UploadConnection {
  const transport = way.transport();
  const data = createClient(DataService, transport);

  /** Makes a call with a token; a refused token is fetched anew once. */
  async function call<T>(signal: AbortSignal, make: (options: CallOptions) => Promise<T>, sizeBytes = 0): Promise<T> {
    const timeoutMs = Math.round(patienceMs + sizeBytes / slowestBytesPerMs);
    try {
      if (!way.authorize) return await make({ signal, timeoutMs });
      return await way.authorize(signal, (authorization) =>
        make({ signal, timeoutMs, ...(authorization && { headers: { authorization } }) }),
      );
    } catch (error) {
      throw uploadErrorOf(error, signal, way.redact);
    }
  }

  async function uploadCapture(content: CaptureContent, image: Blob, options: UploadOptions): Promise<UploadedCapture> {
    const metadata = captureMetadata(content, way.partId);
    const sensor = sensorMetadata(content);
    const { signal, uploadId, onProgress } = options;
    const send = async (callOptions: CallOptions): Promise<UploadedCapture> => {
      let isWhole = false;
      const withId: CallOptions = {
        ...callOptions,
        headers: { ...callOptions.headers, 'x-upload-id': uploadId },
        onHeader: (header) => (isWhole = isStoredNow(header)),
      };
      if (way.streams) {
        const packets = capturePackets(metadata, sensor, image, onProgress);
        const stored = await createClient(DataSyncService, transport).streamingDataCaptureUpload(packets, withId);
        return { serverId: stored.binaryDataId, isWhole };
      }
      const bytes = new Uint8Array(await image.arrayBuffer());
      const isSoonThere = image.size < toldFromBytes;
      const sync = createClient(DataSyncService, isSoonThere ? transport : way.transport(onProgress));
      const sensorContents = [{ metadata: sensor, data: { case: 'binary' as const, value: bytes } }];
      const answer = await sync.dataCaptureUpload({ metadata, sensorContents }, withId);
      return { serverId: answer.binaryDataId || answer.fileId, isWhole };
    };
    return call(signal, send, image.size);
  }

  /**
   * Reads the records with these ids; null if one of them does not exist, since hosts answer for all ids or none.
   */
  const readStored = (serverIds: readonly string[], signal: AbortSignal): Promise<readonly StoredParts[] | null> =>
    call(signal, async (options) => {
      try {
        const answer = await data.binaryDataByIDs({ binaryDataIds: [...serverIds], includeBinary: false }, options);
        const found = answer.data.flatMap(({ metadata }) => metadata ?? []);
        const stored = serverIds.map((serverId) =>
          found.find(({ binaryDataId, id }) => [binaryDataId, id].includes(serverId)),
        );
        // For a single id, the host's only answer is taken: some hosts have changed the form of their ids.
        const known = serverIds.length === 1 ? found.slice(0, 1) : stored.filter((one) => one !== undefined);
        return known.length === serverIds.length ? known.map(storedParts) : null;
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    });

  return {
    uploadCapture,
    async uploadReadings(content, { signal, uploadId }) {
      const sync = createClient(DataSyncService, transport);
      await call(signal, ({ headers, ...rest }) =>
        sync.dataCaptureUpload(readingsRequest(content, way.partId), {
          ...rest,
          headers: { ...headers, 'x-upload-id': uploadId },
        }),
      );
    },
    find: (content, sizeBytes, signal) =>
      call(signal, (options) => findImage(data, way.partId, content, sizeBytes, options)),
    hasReadings: (content, signal) => call(signal, (options) => hasReadings(data, way.partId, content, options)),
    read: gatheredReads(readStored),
    async addTags(serverId, tags, signal) {
      await call(signal, (options) =>
        data.addTagsToBinaryDataByIDs({ binaryDataIds: [serverId], tags: [...tags] }, options),
      );
    },
    async addToDataset(serverId, datasetId, signal) {
      const request = { binaryDataIds: [serverId], datasetId };
      await call(signal, (options) => data.addBinaryDataToDatasetByIDs(request, options));
    },
    async addBox(serverId, { id: _, confidence, ...box }, signal) {
      const request = { ...box, binaryDataId: serverId, ...(confidence !== null && { confidence }) };
      await call(signal, (options) => data.addBoundingBoxToImageByID(request, options));
    },
    async removeBox(serverId, bboxId, signal) {
      const request = { binaryDataId: serverId, bboxId };
      await call(signal, (options) => data.removeBoundingBoxFromImageByID(request, options));
    },
  };
}

function captureMetadata(content: CaptureContent, partId: string): MessageInitShape<typeof UploadMetadataSchema> {
  const { fileName, mediaType, componentName, tags, datasetIds } = content;
  return {
    partId,
    type: DataType.BINARY_SENSOR,
    componentType: componentTypes.capture,
    componentName,
    methodName: methodNames.capture,
    fileName,
    fileExtension: /\.[A-Za-z0-9]{1,16}$/.exec(fileName)?.[0] ?? '',
    mimeType: mediaType,
    tags: [...tags],
    datasetIds: [...datasetIds],
  };
}

function sensorMetadata({
  timeRequestedMs,
  timeReceivedMs,
  boxes,
  classes,
}: CaptureContent): MessageInitShape<typeof SensorMetadataSchema> {
  const withConfidence = <Item extends { readonly confidence: number | null }>({ confidence, ...item }: Item) => ({
    ...item,
    ...(confidence !== null && { confidence }),
  });
  return {
    timeRequested: timestampOf(timeRequestedMs),
    timeReceived: timestampOf(timeReceivedMs),
    annotations: { bboxes: boxes.map(withConfidence), classifications: classes.map(withConfidence) },
  };
}

async function* capturePackets(
  uploadMetadata: MessageInitShape<typeof UploadMetadataSchema>,
  sensorMetadata: MessageInitShape<typeof SensorMetadataSchema>,
  image: Blob,
  onProgress: (progress: UploadProgress) => void,
) {
  const value = create(DataCaptureUploadMetadataSchema, { uploadMetadata, sensorMetadata });
  yield { uploadPacket: { case: 'metadata' as const, value } };
  for (let start = 0; start < image.size; start += pieceBytes) {
    const piece = new Uint8Array(await image.slice(start, start + pieceBytes).arrayBuffer());
    yield { uploadPacket: { case: 'data' as const, value: piece } };
    // The transport asks for the next piece when it has sent this one.
    onProgress({ sentBytes: start + piece.length, totalBytes: image.size });
  }
}

function readingsRequest({ componentName, tags, rows }: ReadingsContent, partId: string) {
  return {
    metadata: {
      partId,
      type: DataType.TABULAR_SENSOR,
      componentType: componentTypes.readings,
      componentName,
      methodName: methodNames.readings,
      tags: [...tags],
    },
    sensorContents: rows.map(({ timeRequestedMs, timeReceivedMs, readings }) => ({
      metadata: { timeRequested: timestampOf(timeRequestedMs), timeReceived: timestampOf(timeReceivedMs) },
      data: { case: 'struct' as const, value: { readings } },
    })),
  };
}

/**
 * Looks for the image of an upload whose answer was lost: a frame's time, to the microsecond, is unique within its
 * component, and its size must match. A host that knows upload ids would not need this, but a client cannot tell
 * whether it does.
 */
async function findImage(
  data: Client<typeof DataService>,
  partId: string,
  { componentName, timeRequestedMs }: CaptureContent,
  sizeBytes: number,
  options: CallOptions,
): Promise<string | null> {
  const micros = microsOf(timeRequestedMs);
  const interval = { start: toTimestamp(micros), end: toTimestamp(micros + 1) };
  const filter = { partId, componentName, componentType: componentTypes.capture, interval };
  const answer = await data.binaryDataByFilter({ dataRequest: { filter, limit: 50n }, includeBinary: false }, options);
  const isIt = ({ fileSizeBytes }: BinaryMetadata): boolean =>
    fileSizeBytes === 0n || fileSizeBytes === BigInt(sizeBytes);
  const found = answer.data.find(({ metadata }) => metadata && isIt(metadata))?.metadata;
  return found ? found.binaryDataId || found.id : null;
}

/** All rows of an upload are stored or none, so the first row is enough. */
async function hasReadings(
  data: Client<typeof DataService>,
  partId: string,
  { componentName, rows: [first] }: ReadingsContent,
  options: CallOptions,
): Promise<boolean> {
  if (!first) return true;
  const micros = microsOf(first.timeRequestedMs);
  const rows = data.exportTabularData(
    {
      partId,
      resourceName: componentName,
      resourceSubtype: componentTypes.readings,
      methodName: methodNames.readings,
      interval: { start: toTimestamp(micros), end: toTimestamp(micros + 1) },
    },
    options,
  );
  for await (const _row of rows) return true;
  return false;
}

function storedParts({ captureMetadata, datasetIds, annotations, fileSizeBytes }: BinaryMetadata): StoredParts {
  const boxes = (annotations?.bboxes ?? []).map(imageBoxOf);
  const classes = (annotations?.classifications ?? []).map(({ id, label, confidence }) => ({
    id,
    label,
    confidence: confidence ?? null,
  }));
  return { tags: captureMetadata?.tags ?? [], datasetIds, boxes, classes, sizeBytes: Number(fileSizeBytes) };
}

const microsOf = (ms: number): number => Math.round(ms * 1000);
const timestampOf = (ms: number) => toTimestamp(microsOf(ms));
