import type { AnnotatedBox, BoxValue } from './annotated-box.ts';
import type { BoxOperation, KeptBox } from './box-operations.ts';

/** The part of Storage that drafts live in. Its writes are done when they return. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** The boxes of an image that the service does not have yet, and what it had when they were drawn. */
export interface BoxDraft {
  readonly kept: readonly KeptBox[];
  readonly boxes: readonly AnnotatedBox[];
  /** what was sent and not answered: the service may have it */
  readonly sent: readonly BoxOperation[];
}

export const serviceDraftPrefix = 'sightglass:boxes:';
const VERSION = 1;

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
      return parseDraft(JSON.parse(this.#storage?.getItem(this.#prefix + imageId) ?? 'null'));
    } catch {
      return null;
    }
  }

  /** Whether it is kept: a storage may be full or forbidden. */
  write(imageId: string, draft: BoxDraft): boolean {
    try {
      this.#storage?.setItem(this.#prefix + imageId, JSON.stringify({ version: VERSION, ...draft }));
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

function parseDraft(stored: unknown): BoxDraft | null {
  const draft = stored as (Partial<BoxDraft> & { readonly version?: unknown }) | null;
  if (draft?.version !== VERSION || ![draft.kept, draft.boxes, draft.sent].every(Array.isArray)) return null;
  const { kept, boxes, sent } = draft as BoxDraft;
  const readable =
    kept.every(({ key, saved }) => typeof key === 'string' && typeof saved?.id === 'string' && isValue(saved)) &&
    sent.every((one) => typeof one.key === 'string' && (one.kind === 'remove' || isValue(one.box))) &&
    boxes.every((box) => typeof box.key === 'string' && typeof box.predicted === 'boolean' && isValue(box));
  return readable ? { kept, boxes, sent } : null;
}

function isValue({ label, confidence, ...box }: BoxValue): boolean {
  const corners = [box.xMin, box.yMin, box.xMax, box.yMax, confidence ?? 0];
  return typeof label === 'string' && corners.every((value) => value >= 0 && value <= 1);
}
