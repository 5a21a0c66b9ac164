import { timestampMs } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { uploadFile } from './upload-file.ts';

const options = { tags: ['found'], signal: new AbortController().signal, onProgress: () => undefined };
const fileOf = (name: string, bytes: Uint8Array<ArrayBuffer>, type = ''): File =>
  new File([bytes], name, { type, lastModified: 1_700_000_000_000 });

it.each([
  ['a picture, whole', 'a.jpg', 1000, 'image/jpeg'],
  ['a large picture, in pieces', 'b.jpg', 5_000_000, 'image/jpeg'],
  ['a file, in pieces', 'c.onnx', 1_500_000, 'application/x-onnx'],
  ['a file of nothing', 'd.bin', 0, 'application/octet-stream'],
  ['a picture of nothing', 'e.jpg', 0, 'image/jpeg'],
])('stores %s, with its name, tags and time, and no second time', async (_, name, length, mimeType) => {
  const { context } = await openDataTab();
  const bytes = Uint8Array.from({ length }, (__, index) => index % 251);
  const first = await uploadFile(context, fileOf(name, bytes, mimeType), options);
  const again = await uploadFile(context, fileOf(`other-${name}`, bytes, mimeType), { ...options, tags: ['twice'] });
  expect([first.wasThere, again.wasThere, again.id]).toEqual([false, true, first.id]);
  const { data } = await context.data.binaryDataByIDs({ binaryDataIds: [first.id], includeBinary: true });
  const { fileName, captureMetadata, timeRequested } = data[0]!.metadata!;
  expect(Buffer.compare(data[0]!.binary, bytes)).toBe(0);
  expect([fileName, captureMetadata?.mimeType, timestampMs(timeRequested!)]).toEqual([
    name,
    mimeType,
    1_700_000_000_000,
  ]);
  expect(captureMetadata?.tags.toSorted()).toEqual(['found', 'twice']);
});
