import { imageKindOf } from '../../../../machine/vision/face/image-kinds.ts';

export type ImportKind = 'image' | 'point-cloud' | 'rows' | 'file';

/** The kind of a file by its name: tables are offered as readings, other files are stored unchanged. */
export function importKind(fileName: string): ImportKind {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (/^(jpe?g|png)$/.test(extension)) return 'image';
  if (extension === 'pcd') return 'point-cloud';
  return /^(csv|tsv|json|jsonl|ndjson)$/.test(extension) ? 'rows' : 'file';
}

/** The type of a picture by its first bytes, if it is shown as an image; '' for other files. */
export function pictureTypeOf(head: Uint8Array): 'image/jpeg' | 'image/png' | '' {
  if (head[0] === 0xff && head[1] === 0xd8) return 'image/jpeg';
  return String.fromCharCode(...head.subarray(0, 4)) === '\x89PNG' ? 'image/png' : '';
}

/** Whether a file named as a picture is not a picture by its first bytes. A damaged picture is still a picture. */
export const isNoPicture = (fileName: string, head: Uint8Array): boolean =>
  importKind(fileName) === 'image' && pictureTypeOf(head) === '' && imageKindOf(head) === null;
