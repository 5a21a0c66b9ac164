import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { createTransport } from '@connectrpc/connect/protocol-connect';
import { expect, it } from 'vitest';
import {
  DataCaptureUploadRequestSchema,
  DataCaptureUploadResponseSchema,
  DataSyncService,
} from '../../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { onlyChunk } from './call-channel.ts';
import { ContentsLast } from './contents-last.ts';

type Upload = MessageInitShape<typeof DataCaptureUploadRequestSchema>;

/** Serializes an upload: `head` is what Connect writes, `whole` the complete body that is sent. */
async function sent(upload: Upload): Promise<{ readonly head: Uint8Array; readonly whole: Uint8Array }> {
  const contentsLast = new ContentsLast();
  const seen: { head: Uint8Array; whole: Uint8Array }[] = [];
  const transport = createTransport({
    baseUrl: 'https://host',
    useBinaryFormat: true,
    interceptors: [contentsLast.interceptor],
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: 0,
    readMaxBytes: 1e9,
    writeMaxBytes: 1e9,
    async httpClient({ body, signal }) {
      const head = await onlyChunk(body!);
      seen.push({ head, whole: contentsLast.complete(head, signal) });
      const answer = toBinary(DataCaptureUploadResponseSchema, create(DataCaptureUploadResponseSchema));
      const header = new Headers({ 'content-type': 'application/proto' });
      return { status: 200, header, trailer: new Headers(), body: new Blob([answer]).stream() };
    },
  });
  await createClient(DataSyncService, transport).dataCaptureUpload(upload);
  return seen[0]!;
}

const picture = (length: number, fill: number) => ({
  metadata: { annotations: { classifications: [{ label: `picture ${fill}` }] } },
  data: { case: 'binary' as const, value: new Uint8Array(length).fill(fill) },
});

it.each([
  ['one picture', [picture(100_000, 7)]],
  ['several', [picture(3, 1), picture(0, 2), { data: picture(9, 3).data }]],
  ['none', []],
])('writes %s behind the rest, as the same message', async (_, sensorContents) => {
  const upload = create(DataCaptureUploadRequestSchema, { metadata: { partId: 'p', tags: ['t'] }, sensorContents });
  const before = toBinary(DataCaptureUploadRequestSchema, upload);
  const { head, whole } = await sent(upload);
  expect(fromBinary(DataCaptureUploadRequestSchema, whole)).toEqual(fromBinary(DataCaptureUploadRequestSchema, before));
  expect(fromBinary(DataCaptureUploadRequestSchema, head).sensorContents).toEqual([]);
  expect(toBinary(DataCaptureUploadRequestSchema, upload)).toEqual(before); // the caller's message is unchanged
});

it('leaves readings to Protobuf-ES', async () => {
  const upload: Upload = { sensorContents: [{ data: { case: 'struct', value: { a: 1 } } }, picture(3, 1)] };
  const { head, whole } = await sent(upload);
  expect(whole).toBe(head);
  expect(fromBinary(DataCaptureUploadRequestSchema, whole)).toEqual(create(DataCaptureUploadRequestSchema, upload));
});
