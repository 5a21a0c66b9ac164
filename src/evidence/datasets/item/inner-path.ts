/**
 * Normalizes the path of a listed file: forward slashes, no `.` segments, composed Unicode (macOS lists decomposed
 * names). Null for a path that leads out of the dataset (`..`, an absolute path, a drive letter) or contains NUL.
 */
export function innerPath(raw: string): string | null {
  const path = raw.normalize('NFC').replaceAll('\\', '/');
  if (path.includes('\0') || path.startsWith('/') || /^[a-z]:/i.test(path)) return null;
  const segments = segmentsOf(path);
  return segments.length === 0 || segments.includes('..') ? null : segments.join('/');
}

/** Splits a path at slashes and backslashes; leaves out empty and `.` segments. */
export function segmentsOf(path: string): string[] {
  return path.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.');
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `a.b.JPG` → `['a.b', '.JPG']`; a leading dot starts no extension. */
export function splitExtension(fileName: string): [stem: string, extension: string] {
  const dot = fileName.lastIndexOf('.');
  return dot <= 0 ? [fileName, ''] : [fileName.slice(0, dot), fileName.slice(dot)];
}

/** The extension in lower case, with its dot; '' if there is none. */
export function extensionOf(path: string): string {
  return splitExtension(baseNameOf(path))[1].toLowerCase();
}

const imageExtensions = new Set(['.jpg', '.jpeg', '.png', '.webp', '.bmp', '.gif', '.tif', '.tiff', '.avif']);

export function isImagePath(path: string): boolean {
  return imageExtensions.has(extensionOf(path));
}

/** Whether a file was created by the operating system, such as `.DS_Store`. */
export function isSystemFile(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$|\.git\/)/i.test(path);
}
