import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { randomSource } from '../random-frame.ts';
import type { ServerClients } from './server-clients.ts';

/** One upload of a seeded series. Its content can be generated again at any time. */
export interface SeededUpload {
  readonly uploadId: string;
  readonly kind: 'capture' | 'file' | 'stream' | 'tabular';
  /** bytes of the file, or number of readings */
  readonly size: number;
}

/** The uploads that a server returns, by upload id. */
export interface StoredUploads {
  /** number of copies of each upload */
  readonly times: ReadonlyMap<string, number>;
  /** binary data ids */
  readonly ids: ReadonlyMap<string, string>;
}

const kinds = ['capture', 'file', 'stream', 'tabular'] as const;
// The distribution of sizes: most uploads are small, some are empty, a few have up to 2 MiB.
const sizes = [
  { share: 0.05, max: 0 },
  { share: 0.6, max: 8_000 },
  { share: 0.25, max: 60_000 },
  { share: 0.08, max: 500_000 },
  { share: 0.02, max: 2 * 2 ** 20 },
];
const chunkBytes = 64 * 1024;
const maxReadings = 40;

export function seededUploads(seed: number, count: number): SeededUpload[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[Math.floor(random() * kinds.length)]!;
    let [drawn, bracket] = [random(), 0];
    while (drawn >= sizes[bracket]!.share && bracket < sizes.length - 1) drawn -= sizes[bracket++]!.share;
    const size = kind === 'tabular' ? 1 + random() * maxReadings : random() * (sizes[bracket]!.max + 1);
    return { uploadId: `upload-${index}`, kind, size: Math.floor(size) };
  });
}

/** The bytes of a seeded upload, different for each. */
export function contentOf({ uploadId, size }: SeededUpload): Buffer {
  const bytes = Buffer.alloc(size, `${uploadId}:`);
  for (let at = 1024; at < size; at += 1024) bytes.writeUInt32LE(at, at - 4);
  return bytes;
}

/** Sends a seeded upload; returns the id in the answer. */
export async function send({ sync }: ServerClients, upload: SeededUpload, partId: string): Promise<string> {
  const { uploadId, kind } = upload;
  const options = { headers: { 'x-upload-id': uploadId } };
  const metadata = { partId, componentName: kind, fileName: uploadId };
  switch (kind) {
    case 'tabular': {
      const sensorContents = Array.from({ length: upload.size }, (_, n) => ({
        data: { case: 'struct' as const, value: { upload: uploadId, n } },
      }));
      const type = DataType.TABULAR_SENSOR;
      return (await sync.dataCaptureUpload({ metadata: { ...metadata, type }, sensorContents }, options)).fileId;
    }
    case 'capture': {
      const sensorContents = [{ data: { case: 'binary' as const, value: contentOf(upload) } }];
      const type = DataType.BINARY_SENSOR;
      return (await sync.dataCaptureUpload({ metadata: { ...metadata, type }, sensorContents }, options)).binaryDataId;
    }
    case 'file': {
      const packets = packetsOf({ ...metadata, type: DataType.FILE }, upload, (data) => ({
        uploadPacket: { case: 'fileContents' as const, value: { data } },
      }));
      return (await sync.fileUpload(packets, options)).binaryDataId;
    }
    case 'stream': {
      const uploadMetadata = { ...metadata, type: DataType.BINARY_SENSOR };
      const packets = packetsOf({ uploadMetadata }, upload, (value) => ({
        uploadPacket: { case: 'data' as const, value },
      }));
      return (await sync.streamingDataCaptureUpload(packets, options)).binaryDataId;
    }
  }
}

async function* packetsOf<Metadata, Packet>(
  value: Metadata,
  upload: SeededUpload,
  packet: (bytes: Uint8Array<ArrayBuffer>) => Packet,
) {
  yield { uploadPacket: { case: 'metadata' as const, value } };
  const bytes = new Uint8Array(contentOf(upload));
  for (let at = 0; at < bytes.length; at += chunkBytes) yield packet(bytes.slice(at, at + chunkBytes));
}

/** Reads everything back and compares it with what was sent, byte for byte. */
export async function readSeeded(
  { data }: ServerClients,
  uploads: ReadonlyMap<string, SeededUpload>,
): Promise<StoredUploads> {
  const [times, ids] = [new Map<string, number>(), new Map<string, string>()];
  for (let last = ''; ;) {
    const page = await data.binaryDataByFilter({ dataRequest: { limit: 100n, last }, includeBinary: true });
    if (page.data.length === 0) break;
    for (const { binary, metadata } of page.data) {
      const uploadId = metadata!.fileName;
      if (Buffer.compare(binary, contentOf(uploads.get(uploadId)!)) !== 0) throw new Error(`${uploadId} is not whole.`);
      times.set(uploadId, (times.get(uploadId) ?? 0) + 1);
      ids.set(uploadId, metadata!.binaryDataId);
    }
    last = page.last;
  }
  const readings = new Map<string, number[]>();
  for (let last = ''; ;) {
    const page = await data.tabularDataByFilter({ dataRequest: { limit: 1000n, last } });
    if (page.data.length === 0) break;
    for (const { data: reading } of page.data) {
      const { upload, n } = reading as { upload: string; n: number };
      readings.set(upload, [...(readings.get(upload) ?? []), n]);
    }
    last = page.last;
  }
  for (const [uploadId, numbers] of readings) {
    const wanted = Array.from({ length: uploads.get(uploadId)!.size }, (_, n) => n);
    const read = numbers.toSorted((a, b) => a - b);
    if (String(read) !== String(wanted)) throw new Error(`The readings of ${uploadId} are ${read.join()}.`);
    times.set(uploadId, 1);
  }
  return { times, ids };
}
