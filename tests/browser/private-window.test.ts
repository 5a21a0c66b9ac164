import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openCaptures } from '../../src/platform/browser/indexed-db/capture-store/open-captures.ts';
import { idbDataStore } from '../../src/platform/browser/indexed-db/data-store/idb-data-store.ts';
import { createIdbModelStore } from '../../src/platform/browser/indexed-db/idb-model-store.ts';
import { createIdbSourceStore } from '../../src/platform/browser/indexed-db/idb-source-store.ts';
import { parcelOf } from '../contract/capture-entries.ts';
import { testNow } from '../contract/data-store/blobs.ts';
import { anonymousReceipt, binaryRecord } from '../contract/data-store/captures.ts';
import { readBlob } from '../read-blob.ts';

const holdsBlob = (value: unknown): boolean =>
  value instanceof Blob || (typeof value === 'object' && value !== null && Object.values(value).some(holdsBlob));

/** Makes IndexedDB refuse blobs, as private windows of WebKit do: https://webkit.org/b/156347 */
function refuseBlobs(): void {
  for (const name of ['put', 'add'] as const) {
    const write = IDBObjectStore.prototype[name];
    vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (this: IDBObjectStore, value, key) {
      if (!holdsBlob(value)) return write.call(this, value, key);
      this.transaction.abort();
      throw new DOMException('Error preparing Blob/File data to be stored in object store', 'UnknownError');
    });
  }
}

const clock = { now: () => testNow };
const names: string[] = [];
function fresh(): string {
  names.push(`private-${crypto.randomUUID()}`);
  return names.at(-1)!;
}
beforeAll(refuseBlobs);
afterEach(() => {
  for (const name of names.splice(0)) indexedDB.deleteDatabase(name);
});

describe('in a window whose storage refuses Blobs', () => {
  it('a model is kept', async () => {
    const name = fresh();
    const record = { sha256: 'aa', fileName: 'a.onnx', byteLength: 3, storedAtMs: 1 };
    await createIdbModelStore(name).write(record, new Blob([Uint8Array.of(1, 2, 3)], { type: 'model/onnx' }));
    const read = await createIdbModelStore(name).read('aa');
    expect([read!.fileName, read!.blob.type]).toEqual(['a.onnx', 'model/onnx']);
    expect([...new Uint8Array(await read!.blob.arrayBuffer())]).toEqual([1, 2, 3]);
  });

  it('an opened picture is kept over a reload, with its name', async () => {
    const name = fresh();
    const source = { id: 'a', kind: 'still', name: 'a.png', byteLength: 3, cameAtMs: 1 } as const;
    const store = createIdbSourceStore(name);
    await store.write({ id: 'visit', sources: [source] });
    await store.keep([{ source, content: new File(['abc'], 'a.png', { type: 'image/png' }) }]);
    const read = (await createIdbSourceStore(name).read('a')) as File;
    expect([read.name, read.type, await read.text()]).toEqual(['a.png', 'image/png', 'abc']);
  });

  it('a captured frame is kept, with its thumbnail', async () => {
    const name = fresh();
    const first = openCaptures(name);
    await first.captures.put([parcelOf('1', 'pixels')]);
    await first.close();
    const { captures, close } = openCaptures(name);
    const [content, thumbnail] = [await captures.content('1'), await captures.thumbnail('1')];
    expect([content!.type, await content!.text()]).toEqual(['image/jpeg', 'pixels']);
    expect(await thumbnail!.text()).toBe('small 1');
    expect(await captures.content('2')).toBeNull();
    await close();
  });

  it('a stored image is kept, and each is listed', async () => {
    const name = fresh();
    const store = idbDataStore(clock, name);
    const addresses: string[] = [];
    for (let n = 0; n < 6; n++) {
      const content = (async function* () {
        yield Uint8Array.of(7, 8, n);
      })();
      const { address, sha256 } = await store.blobs.put(content, new AbortController().signal);
      await store.binary.insert([{ ...binaryRecord(`i${n}`), blobAddress: address, sha256 }], anonymousReceipt());
      addresses.push(address);
    }
    await store.close();
    const again = idbDataStore(clock, name);
    const read: number[] = [];
    for await (const chunk of readBlob(again.blobs, addresses[5]!, { start: 1, end: 3 })) read.push(...chunk);
    expect(read).toEqual([8, 5]);
    const listed: string[] = [];
    for await (const { address } of again.blobs.list()) listed.push(address);
    expect(listed.sort()).toEqual(addresses.sort());
    await again.close();
  });
});
