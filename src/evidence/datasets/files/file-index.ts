import type { ListedFile } from '../item/dataset-item.ts';
import { shown, type DatasetReport } from '../item/dataset-report.ts';
import type { StoredIndex } from '../stored/stored-index.ts';
import { baseNameOf, innerPath, isImagePath, isSystemFile, segmentsOf, splitExtension } from '../item/inner-path.ts';

/** The file that a name in an annotation refers to, or why none was found. */
export type FoundFile =
  | {
      readonly file: ListedFile;
      /** whether it was found by its file name alone, in another folder than the annotation says */ readonly loose: boolean;
    }
  | { readonly file: null; readonly message: string };

/**
 * The files of a dataset by path. Matching ignores case, Unicode composition and the kind of slash, because annotations
 * are often written on one operating system and read on another.
 */
export class FileIndex {
  readonly files: readonly ListedFile[];
  /** stored images to match with annotations that came without pictures; null if the dataset has its own pictures */
  readonly stored: StoredIndex | null;
  readonly #byPath = new Map<string, ListedFile>();
  readonly #byBaseName = new Map<string, ListedFile[]>();
  /** pictures by their name without extension; null until first needed */
  #byStem: Map<string, ListedFile[]> | null = null;

  private constructor(files: readonly ListedFile[], stored: StoredIndex | null) {
    this.files = files;
    this.stored = stored;
    for (const file of files) {
      const key = keyOf(file.path);
      if (!this.#byPath.has(key)) this.#byPath.set(key, file);
      const baseName = baseNameOf(key);
      const namesakes = this.#byBaseName.get(baseName);
      if (namesakes) namesakes.push(file);
      else this.#byBaseName.set(baseName, [file]);
    }
  }

  /** Indexes files. Leaves out paths that lead out of the dataset, duplicates, and files of the operating system. */
  static of(listed: readonly ListedFile[], report: DatasetReport, stored: StoredIndex | null = null): FileIndex {
    const seen = new Set<string>();
    const files: ListedFile[] = [];
    for (const file of listed) {
      const path = innerPath(file.path);
      if (path === null) {
        report.error(file.path, null, 'This path leads out of the dataset (absolute, a drive, or “..”); left out.');
      } else if (seen.has(path)) {
        report.error(path, null, 'A file of this path is listed twice; the first one counts.');
      } else if (!isSystemFile(path)) {
        seen.add(path);
        files.push(path === file.path ? file : { path, sizeBytes: file.sizeBytes, read: () => file.read() });
      }
    }
    return new FileIndex(files, stored);
  }

  /** The file with exactly this path, otherwise one whose path differs only in case. */
  at(path: string): ListedFile | null {
    const key = keyOf(path);
    const found = this.#byPath.get(key) ?? null;
    if (found === null || found.path === path) return found;
    return this.#byBaseName.get(baseNameOf(key))?.find((file) => file.path === path) ?? found;
  }

  /**
   * Finds the file that an annotation refers to. It tries, in this order: the path relative to `folder` and to the
   * dataset; the only file whose path has the same ending, because annotations contain paths of the machine that wrote
   * them; the only file with that name. `prefers` decides between several. If no file has the name, the stored images
   * are searched, also by `keys` (ids, hashes).
   */
  find(
    reference: string,
    folder: string,
    prefers: (path: string) => boolean = () => false,
    keys: readonly string[] = [],
  ): FoundFile {
    const wanted = segmentsOf(reference.normalize('NFC'));
    for (const start of [folder, '']) {
      const path = joinPath(start, wanted);
      const file = path === null ? null : this.at(path);
      if (file) return { file, loose: false };
    }
    const inner = wanted.filter((segment) => segment !== '..');
    const name = inner.at(-1) ?? '';
    const pictures = this.#picturesOf(name);
    if (pictures.length === 1) return { file: pictures[0]!, loose: false };
    const namesakes = this.#byBaseName.get(keyOf(name)) ?? pictures;
    if (namesakes.length === 0 && this.stored) return findStored(this.stored, reference, keys);
    if (namesakes.length === 0) return { file: null, message: `There is no file ${shown(reference)}.` };
    const ending = namesakes.filter((file) => endsAlike(segmentsOf(file.path), inner));
    for (const candidates of ending.length > 0 ? [ending] : [namesakes]) {
      const preferred = candidates.length > 1 ? candidates.filter(({ path }) => prefers(path)) : candidates;
      if (preferred.length === 1) return { file: preferred[0]!, loose: ending.length === 0 };
    }
    const [first, second] = ending.length > 0 ? ending : namesakes;
    return {
      file: null,
      message: `${shown(reference)} may be ${first!.path} or ${second!.path}: keep one, or write the folder before the name.`,
    };
  }

  /** The pictures for a name without extension, as Open Images writes them; empty if a file has exactly this name. */
  #picturesOf(name: string): readonly ListedFile[] {
    if (name === '' || splitExtension(name)[1] !== '' || this.#byBaseName.has(keyOf(name))) return [];
    this.#byStem ??= namesWithoutEnding(this.files);
    return this.#byStem.get(keyOf(name)) ?? [];
  }
}

function namesWithoutEnding(files: readonly ListedFile[]): Map<string, ListedFile[]> {
  const byStem = new Map<string, ListedFile[]>();
  for (const file of files) {
    if (!isImagePath(file.path)) continue;
    const stem = splitExtension(baseNameOf(keyOf(file.path)))[0];
    byStem.set(stem, [...(byStem.get(stem) ?? []), file]);
  }
  return byStem;
}

function findStored(stored: StoredIndex, reference: string, keys: readonly string[]): FoundFile {
  const match = stored.find(reference, keys);
  if (match.file) return { file: match.file, loose: match.by === 'likeName' };
  const { length } = match.candidates;
  const what = length === 0 ? 'No stored image is called' : `${length} stored images may be meant by`;
  return { file: null, message: `${what} ${shown(reference)}.` };
}

/** Whether the longer of two paths ends with the shorter one. */
function endsAlike(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length);
  for (let i = 1; i <= length; i++) if (keyOf(a.at(-i)!) !== keyOf(b.at(-i)!)) return false;
  return true;
}

/** Joins a path to a folder; null if `..` segments lead above the top folder. */
export function joinPath(folder: string, segments: readonly string[]): string | null {
  const path = segmentsOf(folder);
  for (const segment of segments) {
    if (segment !== '..') path.push(segment);
    else if (path.pop() === undefined) return null;
  }
  return path.join('/');
}

function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
