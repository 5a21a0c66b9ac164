import type { DroppedFiles, NamedFile, UnreadFile } from '../../ports/named-file.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { handleOfItem, noteHandle } from './file-handles.ts';

/** Every file of a drop or a paste, folders walked. Starts before it returns: a drop's items are gone after the event. */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFiles> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry());
  const handles = items.map(handleOfItem);
  // A folder's is no file that can be read; an entry that was dragged out of another program has no file() in WebKit.
  const given = items.map((item, i) => (entries[i]?.isDirectory ? null : item.getAsFile()));
  const plain = given.flatMap((file, i) => (entries[i] || !file ? [] : [file]));
  const unread: UnreadFile[] = [];
  const walked = entries.map(async (entry, i) => {
    if (!entry) return [];
    const file = given[i];
    const under = file ? [{ file, path: pathOf(entry) }] : await filesUnder(entry, unread);
    return noted(under, handles[i]!);
  });
  const files = [...(await Promise.all(walked)).flat(), ...plain.map((file) => ({ file, path: file.name }))];
  return { files, unread };
}

function noted(files: readonly NamedFile[], dropped: Promise<FileSystemHandle | null>): readonly NamedFile[] {
  for (const { file, path } of files) noteHandle(file, dropped, path);
  return files;
}

const pathOf = ({ fullPath }: FileSystemEntry): string => fullPath.replace(/^\//, '');

/** @param unread takes the files and folders that cannot be read */
async function filesUnder(entry: FileSystemEntry, unread: UnreadFile[]): Promise<readonly NamedFile[]> {
  const path = pathOf(entry);
  try {
    if (entry.isFile) return [{ file: await fileOf(entry as FileSystemFileEntry), path }];
    const inside = await entriesOf(entry as FileSystemDirectoryEntry);
    return (await Promise.all(inside.map((one) => filesUnder(one, unread)))).flat();
  } catch (error) {
    unread.push({ path, why: errorMessage(error) });
    return [];
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    // Chromium gives a hundred entries at a time, and an empty list at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return inside;
    inside.push(...batch);
  }
}
