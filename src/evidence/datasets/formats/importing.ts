import type { DatasetItem, ListedFile } from '../item/dataset-item.ts';
import { shown, type DatasetReport } from '../item/dataset-report.ts';
import type { FileIndex } from '../files/file-index.ts';

/** Whether a listing matches a format: with its first file, or the reason why not. */
export type FormatMatch =
  { readonly start: ListedFile; readonly missing?: undefined } | { readonly start: null; readonly missing: string };

/** The importer of one format. */
export interface DatasetImporter {
  detect(files: FileIndex): Promise<FormatMatch>;
  /** Yields the pictures in the order of the dataset. Anything left out is reported. */
  importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem>;
}

/** Remembers which annotation each picture belongs to, so that no picture is imported twice with different boxes. */
export class Claims {
  readonly #owners = new Map<ListedFile, string>();

  /** Claims a picture for an owner. Returns the earlier owner if it is taken, otherwise null. */
  take(file: ListedFile, owner: string): string | null {
    const other = this.#owners.get(file) ?? null;
    if (other === null) this.#owners.set(file, owner);
    return other;
  }

  has(file: ListedFile): boolean {
    return this.#owners.has(file);
  }
}

/**
 * Finds the picture that an annotation names, and claims it. Reports an error if no file or several match, or if another
 * annotation has claimed the file. `keys` are ids and hashes of the picture in the annotation.
 */
export function claimPicture(
  reference: string,
  folder: string,
  { files, claims, report }: { files: FileIndex; claims: Claims; report: DatasetReport },
  at: { file: string; line: number | null },
  { prefers, keys }: { readonly prefers?: (path: string) => boolean; readonly keys?: readonly unknown[] } = {},
): ListedFile | null {
  const texts = keys?.filter((key): key is string => typeof key === 'string' && key !== '');
  const found = files.find(reference, folder, prefers, texts);
  if (found.file === null) {
    report.error(at.file, at.line, found.message);
    return null;
  }
  const owner = claims.take(found.file, at.line === null ? at.file : `${at.file}, line ${at.line}`);
  if (owner !== null) {
    report.error(at.file, at.line, `${found.file.path} has been imported already, from ${owner}.`);
    return null;
  }
  if (found.loose)
    report.note(at.file, at.line, `${shown(reference)} is not there; ${found.file.path} was taken for it.`);
  return found.file;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
