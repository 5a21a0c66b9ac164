import { readStoredDraft, storedDraft, type BoxDraft } from '../boxes/stored-draft.ts';

/** The methods of Storage that drafts need. Writes are complete when they return. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export const serviceDraftPrefix = 'sightglass:boxes:';

/** Prefix of the drafts of a logged-in person: whoever uses this browser next must not save them under their own name. */
export const personDraftPrefix = (personId: string): string => `sightglass:boxes-of:${personId}:`;

/** Unsaved boxes by image. An edit is written here before it is reported as done, and read again after a reload. */
export class BoxDrafts {
  readonly #storage: DraftStorage | null;
  readonly #prefix: string;

  /** @param storage null: the browser gives no storage */
  constructor(storage: DraftStorage | null, prefix = serviceDraftPrefix) {
    this.#storage = storage;
    this.#prefix = prefix;
  }

  /** null if there is no draft, or this version cannot read it. */
  read(imageId: string): BoxDraft | null {
    try {
      return readStoredDraft(JSON.parse(this.#storage?.getItem(this.#prefix + imageId) ?? 'null'));
    } catch {
      return null;
    }
  }

  /** Returns whether the draft was stored: storage may be full or forbidden. */
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
      // A storage that cannot be written holds nothing to remove.
    }
  }

  /** The ids of images with a draft. */
  imageIds(): readonly string[] {
    const storage = this.#storage;
    if (!storage) return [];
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    return keys.filter((key) => key.startsWith(this.#prefix)).map((key) => key.slice(this.#prefix.length));
  }
}
