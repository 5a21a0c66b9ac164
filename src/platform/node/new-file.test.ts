import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FreeBlocks } from './free-blocks.ts';
import { NewFile } from './new-file.ts';

const mebi = 1 << 20;
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) & 0xff);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightglass-files-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function write(path: string, content: Uint8Array, chunkBytes: number, blocks = new FreeBlocks()): Promise<void> {
  const file = await NewFile.create(path, blocks);
  for (let at = 0; at < content.length; at += chunkBytes) await file.write(content.subarray(at, at + chunkBytes));
  await file.sync(1_760_000_000);
  await file.close();
}

it.each([
  [0, 1],
  [1, 1],
  [4095, 4095],
  [4096, 4096],
  [100_000, 100_000],
  [mebi - 1, 65_536],
  [mebi, mebi],
  [mebi + 1, 65_535],
  [3 * mebi + 5, 2 * mebi],
])('a file of %i bytes, given %i at a time, is as long and the same', async (length, chunkBytes) => {
  const path = join(folder, 'file');
  await write(path, bytesOf(length), chunkBytes);
  expect((await readFile(path)).equals(bytesOf(length))).toBe(true);
});

it('files at a time are each their own, more of them than there are blocks', async () => {
  const blocks = new FreeBlocks();
  const paths = Array.from({ length: 20 }, (_, index) => join(folder, String(index)));
  await Promise.all(paths.map((path, index) => write(path, bytesOf(70_000 + index), 30_000, blocks)));
  for (const [index, path] of paths.entries()) {
    expect((await readFile(path)).equals(bytesOf(70_000 + index))).toBe(true);
  }
});

it.each([1, 2])('a file system that refuses write %i past its cache gets it through the cache', async (refused) => {
  const probe = await open(folder, 'r');
  const prototype = Object.getPrototypeOf(probe) as { write: (...given: unknown[]) => Promise<unknown> };
  await probe.close();
  const { write: writeReally } = prototype;
  let count = 0;
  vi.spyOn(prototype, 'write').mockImplementation(function (this: unknown, ...given) {
    if (++count === refused) throw Object.assign(new Error('invalid argument'), { code: 'EINVAL' });
    return writeReally.apply(this, given);
  });
  const path = join(folder, 'file');
  const content = bytesOf(2 * mebi + 7);
  const blocks = new FreeBlocks();
  const writing = write(path, content, mebi, blocks);
  if (process.platform !== 'linux') return expect(writing).rejects.toThrow('invalid argument');
  await writing;
  expect((await readFile(path)).equals(content)).toBe(true);
  expect(blocks.take()).toBeNull();
});

it('a file that is there is not written over', async () => {
  const path = join(folder, 'file');
  await write(path, bytesOf(10), 10);
  await expect(NewFile.create(path, new FreeBlocks())).rejects.toMatchObject({ code: 'EEXIST' });
});
