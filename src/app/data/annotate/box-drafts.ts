import { readStoredDraft, storedDraft, type BoxDraft } from './stored-draft.ts';

/** The part of Storage that drafts live in. Its writes are done when they return. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export const serviceDraftPrefix = 'sightglass:boxes:';

/** Boxes that are not saved yet, by image: written before anything is said to be done, read again after a reload. */
export class BoxDrafts {
  readonly #storage: DraftStorage | null;
  readonly #prefix: string;

  /** null where the browser gives no storage. */
  constructor(storage: DraftStorage | null, prefix = serviceDraftPrefix) {
    this.#storage = storage;
    this.#prefix = prefix;
  }

  /** null when there is none, or none that this version reads. */
  read(imageId: string): BoxDraft | null {
    try {
      return readStoredDraft(JSON.parse(this.#storage?.getItem(this.#prefix + imageId) ?? 'null'));
    } catch {
      return null;
    }
  }

  /** Whether it is kept: a storage may be full or forbidden. */
  write(imageId: string, draft: BoxDraft): boolean {
    try {
      this.#storage?.setItem(this.#prefix + imageId, JSON.stringify(storedDraft(draft)));
      return this.#storage !== null;
    } catch {
      return false;
    }
  }

  remove(imageId: string): void {
    try {
      this.#storage?.removeItem(this.#prefix + imageId);
    } catch {
      // A storage that cannot be written has nothing to remove.
    }
  }

  /** Images with a draft. */
  imageIds(): readonly string[] {
    const storage = this.#storage;
    if (!storage) return [];
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    return keys.filter((key) => key.startsWith(this.#prefix)).map((key) => key.slice(this.#prefix.length));
  }
}
