import type { ListedFile } from '../dataset-item.ts';
import { shown, type DatasetReport } from '../dataset-report.ts';
import type { StoredIndex } from '../stored/stored-index.ts';
import { baseNameOf, innerPath, isImagePath, isSystemFile, segmentsOf, splitExtension } from './inner-path.ts';

/** What a name in an annotation stands for; without a file, why not. */
export type FoundFile =
  | {
      readonly file: ListedFile;
      /** by its file name alone, in another folder than the annotation says */ readonly loose: boolean;
    }
  | { readonly file: null; readonly message: string };

/**
 * The files of a dataset by path. Names match whatever their case, composition and kind of slash, because annotations
 * are written on one system and read on another.
 */
export class FileIndex {
  readonly files: readonly ListedFile[];
  /** the images that annotations without pictures are joined to; null where pictures are listed */
  readonly stored: StoredIndex | null;
  readonly #byPath = new Map<string, ListedFile>();
  readonly #byBaseName = new Map<string, ListedFile[]>();
  /** pictures by their name without its ending, once such a name was asked for */
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

  /** Leaves out what leaves the dataset's folder, what is listed twice and what the operating system put there. */
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

  /** The file of exactly that path, else of that path in another case. */
  at(path: string): ListedFile | null {
    const key = keyOf(path);
    const found = this.#byPath.get(key) ?? null;
    if (found === null || found.path === path) return found;
    return this.#byBaseName.get(baseNameOf(key))?.find((file) => file.path === path) ?? found;
  }

  /**
   * The file that an annotation means by `reference`. First the path as it is, from `folder` and from the top; then the
   * only file whose path ends as the reference ends, because exports carry paths of the machine that wrote them; then
   * the only file of that name. `prefers` decides between several. A picture that is not listed is looked for among the
   * stored images, where there are some, by `keys` (ids, hashes) too.
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

  /** The pictures that are meant by a name without an ending, as Open Images has it; none where a file is called just so. */
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

/** Whether the shorter of two paths is the end of the longer one. */
function endsAlike(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length);
  for (let i = 1; i <= length; i++) if (keyOf(a.at(-i)!) !== keyOf(b.at(-i)!)) return false;
  return true;
}

/** Null for a path that goes up past the top. */
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
