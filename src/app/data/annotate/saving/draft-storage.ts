import type { DraftStorage } from './box-drafts.ts';

/** The storage of the browser; null if the browser blocks it by throwing. */
export function openDraftStorage(storage: () => DraftStorage): DraftStorage | null {
  try {
    return storage();
  } catch {
    return null;
  }
}
