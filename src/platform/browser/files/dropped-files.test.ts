import { expect, it } from 'vitest';
import { droppedFiles } from './dropped-files.ts';

type Give<T> = (take: (given: T) => void, refuse: (error: Error) => void) => void;

const readable =
  (name: string): Give<File> =>
  (take) =>
    take(new File([name], name));
const refused =
  (why: string): Give<never> =>
  (_, refuse) =>
    refuse(new Error(why));

const fileEntry = (fullPath: string, file: Give<File>) => ({ isFile: true, isDirectory: false, fullPath, file });

function folderEntry(fullPath: string, ...batches: readonly Give<readonly unknown[]>[]) {
  const given = [...batches];
  const readEntries: Give<readonly unknown[]> = (take, refuse) => (given.shift() ?? ((end) => end([])))(take, refuse);
  return { isFile: false, isDirectory: true, fullPath, createReader: () => ({ readEntries }) };
}

const item = (entry: unknown, file: File | null = null) => ({
  kind: 'file',
  webkitGetAsEntry: () => entry,
  getAsFile: () => file,
});
const dropOf = (...items: readonly unknown[]): DataTransfer => ({ items }) as never;

it('takes the other files of a folder in which one cannot be read, and names that one', async () => {
  const locked = fileEntry('/belt/locked.png', refused('Permission was denied.'));
  const torn = folderEntry('/belt/torn', refused('The folder changed.'));
  const inner = folderEntry('/belt/inner', (take) => take([fileEntry('/belt/inner/c.png', readable('c.png'))]));
  const belt = folderEntry(
    '/belt',
    (take) => take([fileEntry('/belt/a.png', readable('a.png')), locked]),
    (take) => take([torn, inner]),
  );
  const { files, unread } = await droppedFiles(dropOf(item(belt), item(fileEntry('/d.png', readable('d.png')))));
  expect(files.map(({ path }) => path)).toEqual(['belt/a.png', 'belt/inner/c.png', 'd.png']);
  expect(unread.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: 'belt/locked.png', why: 'Permission was denied.' },
    { path: 'belt/torn', why: 'The folder changed.' },
  ]);
});

it('takes what the drop itself gives first: WebKit does not find the files that another program hands over', async () => {
  const promised = item(fileEntry('/photo.jpg', refused('Path does not exist')), new File(['jpeg'], 'photo.jpg'));
  const folder = folderEntry('/belt', (take) => take([fileEntry('/belt/a.png', readable('a.png'))]));
  const nameless = item(null, new File(['png'], 'pasted.png'));
  const { files, unread } = await droppedFiles(dropOf(promised, item(folder, new File([], 'belt')), nameless));
  expect(files.map(({ path }) => path)).toEqual(['photo.jpg', 'belt/a.png', 'pasted.png']);
  expect(unread).toEqual([]);
});
