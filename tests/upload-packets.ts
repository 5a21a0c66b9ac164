import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  DataType,
  type FileUploadRequestSchema,
  type StreamingDataCaptureUploadRequestSchema,
} from '../src/gen/app/datasync/v1/data_sync_pb.ts';
import type { Clients } from './data-service-fixture.ts';

/** The metadata of a picture of the part `lab-part`. */
export const picture = {
  partId: 'lab-part',
  type: DataType.BINARY_SENSOR,
  componentName: 'cam',
  fileExtension: '.png',
};

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Yields messages as a stream. */
export async function* streamOf<Message>(messages: readonly Message[]): AsyncGenerator<Message, void> {
  yield* messages;
}
export const fileStream = (...messages: MessageInitShape<typeof FileUploadRequestSchema>[]) => streamOf(messages);
export const captureStream = (...messages: MessageInitShape<typeof StreamingDataCaptureUploadRequestSchema>[]) =>
  streamOf(messages);

export const metadataPacket = (metadata: object) => ({ uploadPacket: { case: 'metadata' as const, value: metadata } });
export const contentPacket = (text: string) => ({
  uploadPacket: { case: 'fileContents' as const, value: { data: bytes(text) } },
});
export const dataPacket = (text: string) => ({ uploadPacket: { case: 'data' as const, value: bytes(text) } });

/** Reads the text and metadata of all files that a service has stored. */
export async function storedFiles({ data }: Pick<Clients, 'data'>) {
  const { data: all } = await data.binaryDataByFilter({ includeBinary: true });
  return all.map(({ binary, metadata }) => ({ text: new TextDecoder().decode(binary), metadata: metadata! }));
}
