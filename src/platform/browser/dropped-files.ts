import type { NamedFile } from '../../ports/named-file.ts';
import { handleOfItem, noteHandle } from './file-handles.ts';

/** Every file of a drop or a paste, folders walked. Starts before it returns: a drop's items are gone after the event. */
export function droppedFiles(transfer: DataTransfer): Promise<readonly NamedFile[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry());
  const handles = items.map(handleOfItem);
  const plain = items.flatMap((item, i) => (entries[i] ? [] : (item.getAsFile() ?? [])));
  const walked = entries.flatMap((entry, i) =>
    entry ? [filesUnder(entry).then((files) => noted(files, handles[i]!))] : [],
  );
  return Promise.all(walked).then((lists) => [...lists.flat(), ...plain.map((file) => ({ file, path: file.name }))]);
}

function noted(files: readonly NamedFile[], dropped: Promise<FileSystemHandle | null>): readonly NamedFile[] {
  for (const { file, path } of files) noteHandle(file, dropped, path);
  return files;
}

async function filesUnder(entry: FileSystemEntry): Promise<readonly NamedFile[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    // Chromium gives a hundred entries at a time, and an empty list at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) break;
    inside.push(...batch);
  }
  return (await Promise.all(inside.map(filesUnder))).flat();
}
