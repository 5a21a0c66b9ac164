export type ImportKind = 'image' | 'point-cloud' | 'rows' | 'file';

/** What becomes of a file: tables are offered as readings, all else is stored as it is. */
export function importKind(fileName: string): ImportKind {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (/^(jpe?g|png)$/.test(extension)) return 'image';
  if (extension === 'pcd') return 'point-cloud';
  return /^(csv|tsv|json|jsonl|ndjson)$/.test(extension) ? 'rows' : 'file';
}
