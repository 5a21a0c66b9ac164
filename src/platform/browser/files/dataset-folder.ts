import type { DatasetEntry, ListedFile } from '../../../evidence/datasets/face/items.ts';
import type { NamedFile } from '../../ports/named-file.ts';
import { readStream } from '../../../base/streams/read-stream.ts';

/** Chromium's; other browsers give folders by drop and by input only, and take none. */
interface FolderPicker {
  showDirectoryPicker(options: { id: string; mode: 'read' | 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}

export function canPickFolders(): boolean {
  return 'showDirectoryPicker' in globalThis;
}

/** Asks for a folder, after a click; null when the user thinks better of it. */
export async function pickFolder(mode: 'read' | 'readwrite'): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await (globalThis as unknown as FolderPicker).showDirectoryPicker({ id: 'dataset', mode });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

/** Whether a folder can take an export without anything being replaced. */
export async function isEmptyFolder(folder: FileSystemDirectoryHandle): Promise<boolean> {
  for await (const _name of folder.keys()) return false;
  return true;
}

/**
 * Writes entries into a folder, one after the other; files of the same path are replaced. A file appears under its name
 * when it is whole: one that breaks off leaves nothing.
 *
 * @param onWritten after each file, with how many there are
 */
export async function writeFolder(
  folder: FileSystemDirectoryHandle,
  entries: AsyncIterable<DatasetEntry>,
  { onWritten, signal }: { onWritten?: (count: number) => void; signal?: AbortSignal } = {},
): Promise<void> {
  const folders = new Map<string, FileSystemDirectoryHandle>([['', folder]]);
  let count = 0;
  for await (const { path, content } of entries) {
    signal?.throwIfAborted();
    const segments = path.split('/');
    const name = segments.pop()!;
    const file = await (await folderAt(segments)).getFileHandle(name, { create: true });
    const writable = await file.createWritable();
    try {
      for await (const chunk of content.read()) await writable.write(chunk as Uint8Array<ArrayBuffer>);
      await writable.close();
    } catch (error) {
      await writable.abort(error).catch(() => undefined);
      throw error;
    }
    onWritten?.(++count);
  }

  async function folderAt(segments: readonly string[]): Promise<FileSystemDirectoryHandle> {
    const key = segments.join('/');
    const known = folders.get(key);
    if (known) return known;
    const parent = await folderAt(segments.slice(0, -1));
    const made = await parent.getDirectoryHandle(segments.at(-1)!, { create: true });
    folders.set(key, made);
    return made;
  }
}

/** All files under a folder, read when they are read. */
export async function listFolder(folder: FileSystemDirectoryHandle): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  await walk(folder, '');
  return listed;

  async function walk(at: FileSystemDirectoryHandle, prefix: string): Promise<void> {
    for await (const [name, handle] of at.entries()) {
      if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle, `${prefix}${name}/`);
      else listed.push(listedFile(`${prefix}${name}`, await (handle as FileSystemFileHandle).getFile()));
    }
  }
}

/** Files of a drop or an input as an import takes them. */
export function listFiles(files: readonly NamedFile[]): ListedFile[] {
  return files.map(({ file, path }) => listedFile(path, file));
}

function listedFile(path: string, file: File): ListedFile {
  return { path, sizeBytes: file.size, read: () => readStream(file.stream()) };
}
