import { imageKindOf } from '../../../../vision/image-kind.ts';

export type ImportKind = 'image' | 'point-cloud' | 'rows' | 'file';

/** What a file is by its name: tables are offered as readings, all else is stored as it is. */
export function importKind(fileName: string): ImportKind {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (/^(jpe?g|png)$/.test(extension)) return 'image';
  if (extension === 'pcd') return 'point-cloud';
  return /^(csv|tsv|json|jsonl|ndjson)$/.test(extension) ? 'rows' : 'file';
}

/** The type of a picture by its first bytes, of those that are shown as images; '' for other files. */
export function pictureTypeOf(head: Uint8Array): 'image/jpeg' | 'image/png' | '' {
  if (head[0] === 0xff && head[1] === 0xd8) return 'image/jpeg';
  return String.fromCharCode(...head.subarray(0, 4)) === '\x89PNG' ? 'image/png' : '';
}

/** Whether a file that is named as a picture holds none of any kind, by its first bytes. A damaged picture is one. */
export const isNoPicture = (fileName: string, head: Uint8Array): boolean =>
  importKind(fileName) === 'image' && pictureTypeOf(head) === '' && imageKindOf(head) === null;
