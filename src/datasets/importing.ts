import type { DatasetItem, ListedFile } from './dataset-item.ts';
import { shown, type DatasetReport } from './dataset-report.ts';
import type { FileIndex } from './files/file-index.ts';

/** Whether a listing holds a dataset of a format: from which file it starts, or in words what is missing. */
export type FormatMatch =
  { readonly start: ListedFile; readonly missing?: undefined } | { readonly start: null; readonly missing: string };

/** One format's reading side. */
export interface DatasetImporter {
  detect(files: FileIndex): Promise<FormatMatch>;
  /** Gives the pictures in the order of the dataset; what it leaves out stands in the report. */
  importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem>;
}

/** Whom each picture belongs to, so that none is imported twice with different boxes. */
export class Claims {
  readonly #owners = new Map<ListedFile, string>();

  /** The owner that has it already; null when it is the caller's now. */
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
 * The picture that an annotation names, claimed for it. Reports a name that stands for no file, for several, or for one
 * that another annotation has. `keys` are ids and hashes that the annotation gives for the picture.
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
