import { describe, expect, it } from 'vitest';
import { zipArchive, type ArchivedFile } from '../../../../tests/zip-archive.ts';
import { readZipDirectory } from './zip-directory.ts';

async function listed(zip: Uint8Array): Promise<unknown[]> {
  const found: unknown[] = [];
  const read = (from: number, to: number) => Promise.resolve(zip.slice(from, to));
  for await (const files of readZipDirectory(zip.length, read, () => undefined)) found.push(...files);
  return found;
}
const paths = async (zip: Uint8Array) => (await listed(zip)).map((file) => (file as { path: string }).path);
const notAZip = (why: string) =>
  expect.objectContaining({ code: 'not-a-zip', message: `The file cannot be read as a zip: ${why}.` }) as Error;

const hello = new TextEncoder().encode('hello');
const some: readonly ArchivedFile[] = [
  { name: 'a.txt', content: hello },
  { name: 'b/ä.txt', content: new Uint8Array(1000), method: 8 },
];
const [a, b] = [
  {
    path: 'a.txt',
    packedBytes: 5,
    unpackedBytes: 5,
    method: 0,
    crc32: 0x3610a686,
    isEncrypted: false,
    headerOffset: 0,
  },
  { path: 'b/ä.txt', unpackedBytes: 1000, method: 8, headerOffset: 40 },
];

describe('the list of files of a zip', () => {
  it('says where each lies and how', async () => {
    expect(await listed(zipArchive(some))).toMatchObject([a, b]);
    expect(await listed(zipArchive([]))).toEqual([]);
  });

  it('is found whatever stands before and behind, and in Zip64', async () => {
    expect(
      await listed(zipArchive(some, { behind: 'a comment PK\x05\x06 with a sign in it '.repeat(9) })),
    ).toMatchObject([a, b]);
    expect(await listed(zipArchive(some, { zip64: true }))).toMatchObject([a, b]);
    const shifted = [a, b].map((file) => ({ ...file, headerOffset: file!.headerOffset + 7 }));
    expect(await listed(zipArchive(some, { before: '#!stub\n' }))).toMatchObject(shifted);
    expect(await listed(zipArchive(some, { before: '#!stub\n', zip64: true }))).toMatchObject(shifted);
  });

  it('leaves out folders and links', async () => {
    const folder = { name: 'folder/' };
    const dosFolder = { name: 'dos', attributes: 0x10 };
    const link = { name: 'link', attributes: 0xa1ff0000, madeBy: 0x0314 };
    const file = { name: 'file', attributes: 0x81a40010, madeBy: 0x0314 };
    expect(await paths(zipArchive([folder, dosFolder, link, file]))).toEqual(['file']);
  });

  it('reads names of UTF-8 where they are, and of code page 437 where not', async () => {
    const name = Uint8Array.from([0x81, 0x9b, 0x41, 0xff]);
    expect(await paths(zipArchive([{ name }, { name: 'ü', flags: 0x800 }, { name: 'ü' }]))).toEqual([
      'ü¢A\u00a0',
      'ü',
      'ü',
    ]);
  });

  it('takes numbers beyond 32 bits from the field for them, each only where it stands there', async () => {
    const extra = Buffer.alloc(8 + 4 + 16);
    extra.writeUInt16LE(0x5455, 0);
    extra.writeUInt16LE(4, 2);
    extra.writeUInt16LE(1, 8);
    extra.writeUInt16LE(16, 10);
    extra.writeBigUInt64LE(2n ** 33n, 12);
    extra.writeBigUInt64LE(2n ** 34n, 20);
    const says = { unpackedBytes: 0xffffffff, headerOffset: 0xffffffff };
    expect(await listed(zipArchive([{ name: 'a', content: hello, extra, says }]))).toMatchObject([
      { unpackedBytes: 2 ** 33, packedBytes: 5, headerOffset: 2 ** 34 },
    ]);
  });

  it('leaves a number as it stands where the field for it is cut short', async () => {
    const extra = Buffer.alloc(4 + 12);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(12, 2);
    extra.writeBigUInt64LE(2n ** 33n, 4);
    const says = { unpackedBytes: 0xffffffff, packedBytes: 0xffffffff };
    expect(await listed(zipArchive([{ name: 'a', content: hello, extra, says }]))).toMatchObject([
      { unpackedBytes: 2 ** 33, packedBytes: 0xffffffff },
    ]);
  });

  it('is read in slices, with entries across their ends', async () => {
    const files = Array.from({ length: 5000 }, (_, i) => ({ name: `${i}-${'x'.repeat(i % 700)}` }));
    expect(await paths(zipArchive(files))).toEqual(files.map(({ name }) => name));
  });

  it('tells how many were met, and stops where that is refused', async () => {
    const zip = zipArchive(Array.from({ length: 30_000 }, (_, i) => ({ name: `${i}`.padStart(50, '0') })));
    let bytes = 0;
    const read = (from: number, to: number) => ((bytes += to - from), Promise.resolve(zip.slice(from, to)));
    const reading = (async () => {
      for await (const _ of readZipDirectory(zip.length, read, (entries) => {
        if (entries > 1000) throw new Error(`${entries} are too many`);
      }));
    })();
    await expect(reading).rejects.toThrow('are too many');
    expect(bytes).toBeLessThan(1.2e6);
  });

  const whole = zipArchive(some);
  it.each([
    ['nothing', new Uint8Array(), 'the end of its list of files is missing'],
    ['an end cut off', whole.subarray(0, -1), 'the end of its list of files is missing'],
    ['a list before the archive', whole.subarray(60), 'its list of files lies outside of it'],
    ['a damaged entry', whole.with(whole.indexOf('PK\x01\x02'), 0), 'its list of files is damaged'],
    ['a damaged second entry', whole.with(whole.lastIndexOf('PK\x01\x02'), 0), 'its list of files is damaged'],
    [
      'an entry that goes on behind the list',
      whole.with(whole.lastIndexOf('PK\x01\x02') + 32, 9),
      'its list of files is cut off',
    ],
    ['a part of several', whole.with(whole.length - 22 + 4, 1), 'it is a part of several'],
    [
      'a Zip64 without its end',
      ((zip) => zip.with(zip.indexOf('PK\x06\x06'), 0))(zipArchive(some, { zip64: true })),
      'the end of its list of files is damaged',
    ],
  ])('%s is refused', async (_, zip, why) => {
    await expect(listed(zip)).rejects.toEqual(notAZip(why));
  });
});
