import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fileBlobStore } from './file-blob-store.ts';

const clock = { now: () => 1_760_000_000_000_000 };
const never = new AbortController().signal;
async function* content(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

describe('blobs in files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightglass-blobs-'));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  const filesIn = async (): Promise<string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  const addresses = async (): Promise<string[]> => {
    const all: string[] = [];
    for await (const { address } of fileBlobStore(folder, clock).list()) all.push(address);
    return all;
  };

  it.each(['write', 'sync'] as const)('leave nothing where the disk is full at %s', async (step) => {
    const file = await open(folder, 'r');
    const prototype = Object.getPrototypeOf(file) as Record<typeof step, () => Promise<void>>;
    await file.close();
    vi.spyOn(prototype, step).mockRejectedValue(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    const put = fileBlobStore(folder, clock).put(content('a', 'b'), never);
    await expect(put).rejects.toMatchObject({ name: 'StoreError', code: 'resource-exhausted' });
    vi.restoreAllMocks();
    expect(await filesIn()).toEqual([]);
  });

  it('are listed with what a host left that died while putting, and with nothing else', async () => {
    const store = fileBlobStore(folder, clock);
    const { address } = await store.put(content('whole'), never);
    const left = 'unfinished-00000000-0000-4000-8000-000000000000';
    await mkdir(join(folder, 'unfinished'), { recursive: true });
    await writeFile(join(folder, 'unfinished', left), 'ha');
    await writeFile(join(folder, '.DS_Store'), '');
    await writeFile(join(folder, 'unfinished', 'notes.txt'), '');
    expect((await addresses()).sort()).toEqual([address, left].sort());
    await store.delete(left);
    expect(await addresses()).toEqual([address]);
  });

  it('are named by their hash, and have the time of the clock', async () => {
    const store = fileBlobStore(folder, clock);
    // FIPS 180-2, appendix B.1
    const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    const { address } = await store.put(content('abc'), never);
    expect(address).toMatch(new RegExp(`^${sha256}-`));
    for await (const blob of store.list()) expect(blob).toEqual({ address, timeStored: clock.now() });
  });

  it('of an absent folder are none', async () => {
    const absent = fileBlobStore(join(folder, 'not', 'there'), clock);
    for await (const blob of absent.list()) expect(blob).toBeUndefined();
  });
});
