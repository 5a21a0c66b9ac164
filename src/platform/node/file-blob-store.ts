import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobStore, Clock, OpenBlob } from '../../data-service/face/hosts.ts';
import { StoreError } from '../../data-service/face/stores.ts';
import { FreeBlocks } from './free-blocks.ts';
import { NewFile } from './new-file.ts';
import { privateFolderMode } from './private-folder.ts';
import { runningSha256 } from './running-sha256.ts';

const unfinished = 'unfinished';
const whole = /^[0-9a-f]{64}-[0-9a-f-]{36}$/;
const partial = /^unfinished-[0-9a-f-]{36}$/;

/** Where in a folder of blobs an address is; null: no blob has such an address. It names no file outside the folder. */
export function blobPath(folder: string, address: string): string | null {
  if (whole.test(address)) return join(folder, address.slice(0, 2), address);
  return partial.test(address) ? join(folder, unfinished, address) : null;
}

/**
 * Blobs as files `<folder>/<first two digits>/<sha256>-<uuid>`. They are written as `<folder>/unfinished/…`, synced
 * and then renamed, so that a file under its own name is whole, whenever the power fails. Other processes may use the
 * same folder.
 */
export function fileBlobStore(folder: string, clock: Clock): BlobStore {
  const pathOf = (address: string): string | null => blobPath(folder, address);
  const blocks = new FreeBlocks();

  return {
    async put(content, signal) {
      signal.throwIfAborted();
      const partialPath = pathOf(`${unfinished}-${randomUUID()}`)!;
      let path = partialPath;
      try {
        const { sha256, sizeBytes } = await writeSynced(
          await createIn(partialPath, blocks),
          content,
          signal,
          clock.now(),
        );
        const address = `${sha256}-${randomUUID()}`;
        signal.throwIfAborted();
        await renameIntoFolder(partialPath, pathOf(address)!);
        path = pathOf(address)!;
        await syncFolder(dirname(path));
        return { address, sha256, sizeBytes };
      } catch (error) {
        await rm(path, { force: true });
        throw storeErrorOf(error);
      }
    },

    async open(address) {
      const path = pathOf(address);
      const file = path === null ? null : await openIfThere(path);
      return file && openBlob(file, address);
    },

    hash: runningSha256,

    async delete(address) {
      const path = pathOf(address);
      if (path !== null) await rm(path, { force: true });
    },

    async *list() {
      for (const shard of await namesIn(folder)) {
        for (const address of await namesIn(join(folder, shard))) {
          const path = pathOf(address);
          // deleted or renamed meanwhile: no longer here
          const file = path === null ? null : await stat(path).catch(absentAsNull);
          if (file !== null) yield { address, timeStored: Math.round(file.mtimeMs * 1000) };
        }
      }
    },
  };
}

async function openBlob(file: FileHandle, address: string): Promise<OpenBlob> {
  const { size } = await file.stat().catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  return {
    sizeBytes: size,
    async read({ start, end }) {
      const bytes = new Uint8Array(end - start);
      for (let position = start; position < end;) {
        const { bytesRead } = await file.read(bytes, position - start, end - position, position);
        if (bytesRead === 0) throw new Error(`Blob ${address} ends at byte ${position}, before ${end}.`);
        position += bytesRead;
      }
      return bytes;
    },
    close: () => file.close(),
  };
}

async function renameIntoFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await makeFolder(dirname(to));
    await rename(from, to);
  }
}

async function writeSynced(file: NewFile, content: AsyncIterable<Uint8Array>, signal: AbortSignal, time: number) {
  try {
    // in this thread: the way of a picture to another one costs what hashing it does
    const hash = runningSha256();
    let sizeBytes = 0;
    for await (const chunk of content) {
      signal.throwIfAborted();
      hash.update(chunk);
      await file.write(chunk);
      sizeBytes += chunk.length;
    }
    signal.throwIfAborted();
    await file.sync(time / 1e6);
    return { sha256: hash.end(), sizeBytes };
  } finally {
    await file.close();
  }
}

async function createIn(path: string, blocks: FreeBlocks): Promise<NewFile> {
  try {
    return await NewFile.create(path, blocks);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await makeFolder(dirname(path));
    return NewFile.create(path, blocks);
  }
}

/** Makes the folder, and its entry in the one above durable. */
async function makeFolder(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true, mode: privateFolderMode })) !== undefined) await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there, and need not be
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function namesIn(path: string): Promise<string[]> {
  const names: string[] = [];
  const folder = await opendir(path).catch((error: unknown) => {
    // the blob folder is made by the first put; beside the shards there may be files of the operating system
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    return absentAsNull(error);
  });
  for await (const { name } of folder ?? []) names.push(name);
  return names;
}

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const openIfThere = (path: string): Promise<FileHandle | null> => open(path, 'r').catch(absentAsNull);

function absentAsNull(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}

// the disk, the user's share of it, and the largest file that it takes
const noRoom = ['ENOSPC', 'EDQUOT', 'EFBIG'];

function storeErrorOf(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!noRoom.includes(code)) return error;
  return new StoreError('resource-exhausted', 'The disk of the data folder is full. Nothing of the upload was kept.', {
    cause: error,
  });
}
