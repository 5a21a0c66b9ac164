import { describe, expect, it } from 'vitest';
import { zipArchive, type ArchivedFile } from '../../../../tests/zip-archive.ts';
import { listZip } from './list-zip.ts';

const blobOf = (...files: readonly ArchivedFile[]) => new Blob([zipArchive(files)]);

async function contentOf(blob: Blob): Promise<Buffer> {
  const [file] = await listZip(blob);
  const chunks: Uint8Array[] = [];
  for await (const chunk of file!.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const random = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * i * 31) >> 3));

describe('a file of a zip', () => {
  it.each([0, 8])('comes out as it went in, packed by method %i', async (method) => {
    expect(await contentOf(blobOf({ name: 'a', content: random, method }))).toEqual(random);
    expect(await contentOf(blobOf({ name: 'a', method }))).toEqual(Buffer.of());
  });

  it.each<[string, ArchivedFile, string]>([
    ['less than it says', { name: 'a', content: random, says: { unpackedBytes: 100_001 } }, 'a in the zip is damaged: it holds less than its directory says.'],
    ['more than it says', { name: 'a', content: random, method: 8, says: { unpackedBytes: 99_999 } }, 'a in the zip is damaged: it holds more than its directory says.'],
    ['packed bytes that are cut off', { name: 'a', content: random, method: 8, says: { packedBytes: 50 } }, 'a in the zip is damaged'],
    ['another place', { name: 'a', content: random, says: { headerOffset: 1 } }, 'a in the zip is damaged: it does not lie where the directory says.'],
    ['a place behind the end', { name: 'a', content: random, says: { headerOffset: 2 ** 31 } }, 'a in the zip is damaged: it does not lie where the directory says.'],
    ['another way of packing', { name: 'a', content: random, method: 9 }, 'a in the zip is packed by method 9, which is not read here. Unpack it and import the folder.'],
  ])('of %s is refused', async (_, file, message) => {
    await expect(contentOf(blobOf(file))).rejects.toMatchObject({ code: 'unreadable-file', message: expect.stringContaining(message) as string });
  }); // prettier-ignore

  it('that is encrypted is refused with its archive', async () => {
    await expect(listZip(blobOf({ name: 'a' }, { name: 'b', flags: 1 }))).rejects.toMatchObject({
      code: 'unsupported-zip',
      message: 'b in the zip is encrypted. Unpack it and import the folder.',
    });
  });

  it('that makes a hundred megabytes of what says a kilobyte gives none of them', async () => {
    const content = Buffer.alloc(1e8);
    const [file] = await listZip(blobOf({ name: 'a', content, method: 8, says: { unpackedBytes: 1000 } }));
    await expect(file!.read()[Symbol.asyncIterator]().next()).rejects.toThrow('it holds more than its directory says');
  });
});

it('ends the list of more files than are read while it is read', async () => {
  const entry = zipArchive([{ name: 'a' }]).subarray(31, 31 + 47);
  const end = zipArchive([]);
  end.writeUInt32LE(47 * 600_000, 12);
  const list = Buffer.alloc(47 * 600_000, entry);
  const start = performance.now();
  await expect(listZip(new Blob([list, end]))).rejects.toMatchObject({
    code: 'zip-bomb',
    message: 'The zip has more than 500000 files, which is the most that is read. Split it.',
  });
  expect(performance.now() - start).toBeLessThan(15_000);
});
