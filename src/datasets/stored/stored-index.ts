import { baseNameOf, segmentsOf, splitExtension } from '../files/inner-path.ts';
import type { StoredFile } from './stored-file.ts';

/** By what an annotation found its stored image: the surest first. */
export const matchKinds = ['id', 'hash', 'name', 'likeName'] as const;
export type MatchKind = (typeof matchKinds)[number];

/** What became of a picture that an annotation names. */
export type StoredMatch =
  | { readonly file: StoredFile; readonly by: MatchKind }
  /** several stored images may be meant; none is taken */
  | { readonly file: null; readonly candidates: readonly StoredFile[] };

/** What became of every picture that was named. */
export interface JoinTally {
  readonly matched: Readonly<Record<MatchKind, number>>;
  /** names that no stored image has */
  readonly unmatched: readonly string[];
  /** names that several stored images have, and how many */
  readonly ambiguous: readonly { readonly name: string; readonly count: number }[];
}

/**
 * The stored images by all that annotations may call them: binary data id, SHA-256, file name, and file name without what
 * labelling tools change of it (the ending, Label Studio's and Roboflow's additions). It remembers what it was asked.
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

  /** @param hashes SHA-256 of files in lower-case hex, where they were wanted */
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

  /** The stored image that is meant by a path or a name; `keys` are ids and hashes that the annotation gives beside it. */
  find(reference: string, keys: readonly string[] = []): StoredMatch {
    const match = this.#find(reference, keys);
    this.#asked.set(reference, match);
    return match;
  }

  /** how many pictures were named so far */
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
      // What a tool changed of the name is a likeness, not the name.
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

/** `1a2b3c4d-cat.jpg` (Label Studio's upload) and `cat_png.rf.5e6f….jpg` (Roboflow's export) as they were called before. */
function withoutTools(name: string): string {
  const roboflow = /^(.+)_([a-z]{3,4})\.rf\.[0-9a-z]+\.[a-z]{3,4}$/.exec(name);
  return roboflow ? `${roboflow[1]}.${roboflow[2]}` : name.replace(/^[0-9a-f]{8}-/, '');
}

/** Of images of one name those that share the most folders with the reference. */
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

/** From the innermost outwards. */
const foldersOf = (path: string): string[] =>
  segmentsOf(path.slice(0, path.length - baseNameOf(path.replaceAll('\\', '/')).length).toLowerCase()).reverse();
