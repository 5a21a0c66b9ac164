import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { sizeDelimitedPeek } from '@bufbuild/protobuf/wire';
import { anyUnpack, ValueSchema, type Any } from '@bufbuild/protobuf/wkt';
import {
  DataCaptureMetadataSchema,
  SensorDataSchema,
  type DataCaptureMetadata,
  type SensorData,
} from '../../src/gen/app/datasync/v1/data_sync_pb.ts';

/** A file in which a machine's data manager keeps captures until they are uploaded. */
export interface CaptureFile {
  readonly metadata: DataCaptureMetadata;
  readonly data: readonly SensorData[];
}

/** The names of the capture files below a folder. */
export const captureFilesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.capture'));

export async function readCaptureFile(path: string): Promise<CaptureFile> {
  const bytes = await readFile(path);
  const messages: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const { offset, size, eof } = sizeDelimitedPeek(bytes.subarray(at));
    if (eof) throw new Error(`${path} ends within a message.`);
    messages.push(bytes.subarray(at + offset, at + offset + size));
    at += offset + size;
  }
  const [metadata, ...data] = messages;
  return {
    metadata: fromBinary(DataCaptureMetadataSchema, metadata!),
    data: data.map((message) => fromBinary(SensorDataSchema, message)),
  };
}

export const readCaptureFilesIn = async (folder: string): Promise<CaptureFile[]> =>
  Promise.all((await captureFilesIn(folder)).map((name) => readCaptureFile(join(folder, name))));

/** A parameter of the captured method, which machines pack as a value of JSON. */
export const captureParameter = (parameters: Readonly<Record<string, Any>>, name: string) =>
  anyUnpack(parameters[name]!, ValueSchema)?.kind.value;
