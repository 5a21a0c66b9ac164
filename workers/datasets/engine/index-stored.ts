import { type ListedFile, readAll, readHead } from '../../../src/evidence/datasets/face/items.ts';
import { decodeText, type StoredFile, StoredIndex } from '../../../src/evidence/datasets/face/files.ts';
import { sha256 } from '../../../src/platform/browser/bytes/sha256.ts';

const looksLikeHash = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i;
const headBytes = 1024 * 1024;
const mostFiles = 20;
const mostPictureBytes = 512 * 1024 * 1024;

/**
 * All names of the stored images, for matching. Images are hashed only if the annotations name hashes, as that
 * reads every file.
 */
export async function indexStored(
  stored: readonly StoredFile[],
  annotations: readonly ListedFile[],
  signal: AbortSignal,
): Promise<StoredIndex> {
  const hashes = new Map<StoredFile, string>();
  if (!(await nameHashes(annotations))) return new StoredIndex(stored);
  for (const file of stored) {
    signal.throwIfAborted();
    const bytes = await readAll(file, mostPictureBytes).catch(() => null);
    if (bytes) hashes.set(file, await sha256(new Uint8Array(bytes)));
  }
  return new StoredIndex(stored, hashes);
}

async function nameHashes(annotations: readonly ListedFile[]): Promise<boolean> {
  if (annotations.some(({ path }) => looksLikeHash.test(path))) return true;
  for (const file of annotations.slice(0, mostFiles))
    if (looksLikeHash.test(decodeText(await readHead(file, headBytes)).text)) return true;
  return false;
}
