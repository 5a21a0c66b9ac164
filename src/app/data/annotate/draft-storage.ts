import type { DraftStorage } from './box-drafts.ts';

/** The storage of the browser; null where it is blocked, which asking for it throws. */
export function openDraftStorage(storage: () => DraftStorage): DraftStorage | null {
  try {
    return storage();
  } catch {
    return null;
  }
}
