import { timestampMs } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { uploadFile } from './upload-file.ts';

const options = { tags: ['found'], signal: new AbortController().signal, onProgress: () => undefined };
const fileOf = (name: string, bytes: Uint8Array<ArrayBuffer>, type = ''): File =>
  new File([bytes], name, { type, lastModified: 1_700_000_000_000 });

const [jpegHead, pngHead, gifHead, textHead] = ['\xff\xd8\xff\xe0', '\x89PNG', 'GIF89a', '<html>'];

it.each([
  ['a picture, whole', 'a.jpg', 1000, 'image/jpeg', jpegHead],
  ['a large picture, in pieces', 'b.jpg', 5_000_000, 'image/jpeg', jpegHead],
  ['a picture by its content, whatever its name', 'frame_7', 1000, 'image/png', pngHead],
  ['a picture of a kind that is not shown', 'f.png', 1000, 'image/png', gifHead],
  ['a file, in pieces', 'c.onnx', 1_500_000, 'application/x-onnx'],
  ['a file of nothing', 'd.bin', 0, 'application/octet-stream'],
  ['a picture of nothing as a file', 'e.jpg', 0, 'application/octet-stream'],
  ['a text that is named as a picture as a file', 'g.png', 1000, 'application/octet-stream', textHead],
] as const)(
  'stores %s, with its name, tags and time, and no second time',
  async (...[, name, length, mimeType, head]) => {
    const { context } = await openDataTab();
    const bytes = Uint8Array.from({ length }, (__, index) => head?.charCodeAt(index) || index % 251);
    const first = await uploadFile(context, fileOf(name, bytes, mimeType), options);
    const again = await uploadFile(context, fileOf(`other-${name}`, bytes, mimeType), { ...options, tags: ['twice'] });
    expect([first.wasThere, again.wasThere, again.id]).toEqual([false, true, first.id]);
    expect(first.isNoPicture).toBe(mimeType === 'application/octet-stream' && /\.(jpg|png)$/.test(name));
    const { data } = await context.data.binaryDataByIDs({ binaryDataIds: [first.id], includeBinary: true });
    const { fileName, captureMetadata, timeRequested } = data[0]!.metadata!;
    expect(Buffer.compare(data[0]!.binary, bytes)).toBe(0);
    expect([fileName, captureMetadata?.mimeType, timestampMs(timeRequested!)]).toEqual([
      name,
      mimeType,
      1_700_000_000_000,
    ]);
    expect(captureMetadata?.tags.toSorted()).toEqual(['found', 'twice']);
  },
);

const bytes = Uint8Array.from({ length: 500 }, (_, index) => jpegHead!.charCodeAt(index) || index % 251);

/** A data tab that counts how often a stored file is looked for, with a host that may not say what it has stored. */
async function counted({ says }: { readonly says: boolean }) {
  const { context } = await openDataTab();
  let looks = 0;
  const { data, sync } = context;
  const looking: typeof data = {
    ...data,
    binaryDataByIDs(request, callOptions) {
      looks++;
      return data.binaryDataByIDs(request, callOptions);
    },
  };
  const silent: typeof sync = {
    ...sync,
    dataCaptureUpload: (request, { onHeader: _, ...rest } = {}) => sync.dataCaptureUpload(request, rest),
  };
  const tab = { ...context, data: looking, sync: says ? sync : silent };
  return { tab, looks: () => looks };
}

it.each([
  [true, [0, 1, 2]],
  [false, [1, 2, 4]],
])('looks for a file only where the host does not say that it stored it now (it says: %j)', async (says, wanted) => {
  const { tab, looks } = await counted({ says });
  const found: number[] = [];
  const upload = async () => {
    const { id, wasThere } = await uploadFile(tab, fileOf('a.jpg', bytes), options);
    found.push(looks());
    return { id, wasThere };
  };
  const first = await upload();
  const again = await upload();
  expect([first.wasThere, again]).toEqual([false, { id: first.id, wasThere: true }]);
  await tab.data.deleteBinaryDataByIDs({ binaryDataIds: [first.id] });
  const anew = await upload();
  expect([anew.wasThere, anew.id === first.id]).toEqual([false, false]);
  expect(found).toEqual(wanted);
});
