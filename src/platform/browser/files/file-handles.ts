/** Chromium's; elsewhere a page is not told where a file lies. */
interface HandleGiver {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}
interface PermissionAsked {
  queryPermission?(request: { mode: 'read' }): Promise<PermissionState>;
  requestPermission?(request: { mode: 'read' }): Promise<PermissionState>;
}

type FindHandle = () => Promise<FileSystemFileHandle | null>;

/** Where the files lie that were dropped, found when somebody asks. */
const handles = new WeakMap<Blob, FindHandle>();

/** Where a dropped item lies. To be called before the event ends. */
export async function handleOfItem(item: DataTransferItem): Promise<FileSystemHandle | null> {
  return (await (item as HandleGiver).getAsFileSystemHandle?.().catch(() => null)) ?? null;
}

/** Notes that a file lies under what was dropped, at a path whose first part is the dropped file or folder itself. */
export function noteHandle(file: File, dropped: Promise<FileSystemHandle | null>, path: string): void {
  const [, ...below] = path.split('/');
  const name = below.pop();
  handles.set(file, async () => {
    const root = await dropped;
    if (root instanceof FileSystemFileHandle) return root;
    if (!(root instanceof FileSystemDirectoryHandle) || name === undefined) return null;
    let folder = root;
    for (const inside of below) folder = await folder.getDirectoryHandle(inside);
    return folder.getFileHandle(name);
  });
}

/** Where a file lies; null where it did not come by a drop, or the browser does not say. */
export async function handleOf(file: Blob): Promise<FileSystemFileHandle | null> {
  const found = handles
    .get(file)?.()
    .catch(() => null); // the file was moved since
  return (await found) ?? null;
}

/** Whether a file may be read without a question. */
export async function isReadable(handle: FileSystemFileHandle): Promise<boolean> {
  return ((await (handle as PermissionAsked).queryPermission?.({ mode: 'read' })) ?? 'granted') === 'granted';
}

/** Asks the browser's user, after a click, unless it is allowed already. */
export async function askToRead(handle: FileSystemFileHandle): Promise<boolean> {
  if (await isReadable(handle)) return true;
  return (await (handle as PermissionAsked).requestPermission?.({ mode: 'read' })) === 'granted';
}
