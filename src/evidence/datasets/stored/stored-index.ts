import { baseNameOf, segmentsOf, splitExtension } from '../item/inner-path.ts';
import type { StoredFile } from './stored-file.ts';

/** How an annotation was matched with a stored image; the most reliable first. */
export const matchKinds = ['id', 'hash', 'name', 'likeName'] as const;
export type MatchKind = (typeof matchKinds)[number];

/** The match for a picture that an annotation names. */
export type StoredMatch =
  | { readonly file: StoredFile; readonly by: MatchKind }
  /** none, or several candidates, of which none is chosen */
  | { readonly file: null; readonly candidates: readonly StoredFile[] };

/** A summary of all matches. */
export interface JoinTally {
  readonly matched: Readonly<Record<MatchKind, number>>;
  /** names without a matching stored image */
  readonly unmatched: readonly string[];
  /** names that match several stored images, with their number */
  readonly ambiguous: readonly { readonly name: string; readonly count: number }[];
}

/**
 * Finds stored images by anything that annotations may refer to: binary data id, SHA-256, file name, and file name
 * without the changes of labelling tools (the extension, additions of Label Studio and Roboflow). It remembers all
 * lookups for the tally.
 */
export class StoredIndex {
  readonly files: readonly StoredFile[];
  readonly #by: Readonly<Record<MatchKind, Map<string, StoredFile[]>>> = {
    id: new Map(),
    hash: new Map(),
    name: new Map(),
    likeName: new Map(),
  };
  readonly #asked = new Map<string, StoredMatch>();

  /** @param hashes SHA-256 of files in lower-case hex; empty if no annotation needs them */
  constructor(files: readonly StoredFile[], hashes: ReadonlyMap<StoredFile, string> = new Map()) {
    this.files = files;
    for (const file of files) {
      const name = nameKey(file.path);
      add(this.#by.id, file.id, file);
      add(this.#by.name, name, file);
      add(this.#by.likeName, splitExtension(name)[0], file);
    }
    for (const [file, hash] of hashes) add(this.#by.hash, hash, file);
  }

  /** Finds the stored image for a path or a name. `keys` are ids and hashes in the same annotation. */
  find(reference: string, keys: readonly string[] = []): StoredMatch {
    const match = this.#find(reference, keys);
    this.#asked.set(reference, match);
    return match;
  }

  /** number of different references looked up so far */
  get askedCount(): number {
    return this.#asked.size;
  }

  tally(): JoinTally {
    const matched: Record<MatchKind, number> = { id: 0, hash: 0, name: 0, likeName: 0 };
    const [unmatched, ambiguous]: [string[], { name: string; count: number }[]] = [[], []];
    for (const [name, match] of this.#asked) {
      if (match.file) matched[match.by]++;
      else if (match.candidates.length === 0) unmatched.push(name);
      else ambiguous.push({ name, count: match.candidates.length });
    }
    return { matched, unmatched, ambiguous };
  }

  #find(reference: string, keys: readonly string[]): StoredMatch {
    const name = nameKey(reference);
    const [stem] = splitExtension(name);
    const tries: readonly (readonly [MatchKind, readonly string[]])[] = [
      ['id', keys],
      ['hash', [...keys, stem].map((key) => key.toLowerCase())],
      ['name', [name]],
      ['name', [withoutTools(name)]],
      ['likeName', [stem, splitExtension(withoutTools(name))[0]]],
    ];
    for (const [at, [kind, wanted]] of tries.entries()) {
      const found = [...new Set(wanted.flatMap((key) => this.#by[kind].get(key) ?? []))];
      const near = found.length > 1 ? inSameFolders(found, reference) : found;
      // The fourth try removes a labelling tool's additions, so its match is by a similar name, not by the exact one.
      if (near.length === 1) return { file: near[0]!, by: at === 3 ? 'likeName' : kind };
      if (near.length > 1) return { file: null, candidates: near };
    }
    return { file: null, candidates: [] };
  }
}

function add(map: Map<string, StoredFile[]>, key: string, file: StoredFile): void {
  const files = map.get(key);
  if (files) files.push(file);
  else map.set(key, [file]);
}

const nameKey = (path: string): string => (segmentsOf(path.normalize('NFC')).at(-1) ?? '').toLowerCase();

/** The original name of `1a2b3c4d-cat.jpg` (renamed by Label Studio) or `cat_png.rf.5e6f….jpg` (renamed by Roboflow). */
function withoutTools(name: string): string {
  const roboflow = /^(.+)_([a-z]{3,4})\.rf\.[0-9a-z]+\.[a-z]{3,4}$/.exec(name);
  return roboflow ? `${roboflow[1]}.${roboflow[2]}` : name.replace(/^[0-9a-f]{8}-/, '');
}

/** The images that share the most folders with the reference, counted from the innermost one. */
function inSameFolders(files: readonly StoredFile[], reference: string): readonly StoredFile[] {
  const wanted = foldersOf(reference);
  const shared = files.map(({ path }) => {
    const folders = foldersOf(path);
    const differs = folders.findIndex((folder, at) => folder !== wanted[at]);
    return differs < 0 ? folders.length : differs;
  });
  const most = Math.max(...shared);
  return files.filter((_, at) => shared[at] === most);
}

/** The folders of a path, innermost first. */
const foldersOf = (path: string): string[] =>
  segmentsOf(path.slice(0, path.length - baseNameOf(path.replaceAll('\\', '/')).length).toLowerCase()).reverse();
