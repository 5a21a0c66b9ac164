import type { CaptureStore } from '../../evidence/capture/capture-store.ts';
import type { Capture } from '../../evidence/capture/capture.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxStore } from './outbox-store.ts';
import { browserTarget } from './outbox-target.ts';

const pageSize = 50;

export interface FilingPorts {
  readonly captures: CaptureStore;
  readonly outbox: Pick<Outbox, 'sendCaptures'>;
  readonly store: Pick<OutboxStore, 'ofCapture'>;
  /** Called if a capture could not be filed; it is stored all the same, and filed on the next visit. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * A capture store that also files each new or corrected capture in this browser's data service, so that nobody has
 * to send captures to the own browser. The outbox does the filing: it knows what is stored already and continues
 * after a reload.
 */
export function filedCaptures({ captures, outbox, onFailure }: Omit<FilingPorts, 'store'>): CaptureStore {
  const file = (changed: readonly Capture[]): void =>
    void outbox.sendCaptures(changed, browserTarget.id).catch((error: unknown) => onFailure(error));
  return {
    async put(parcels) {
      await captures.put(parcels);
      file(parcels.map(({ capture }) => capture));
    },
    async correct(id, correction, nowMs) {
      const corrected = await captures.correct(id, correction, nowMs);
      if (corrected) file([corrected]);
      return corrected;
    },
    page: (before, limit) => captures.page(before, limit),
    count: () => captures.count(),
    sizeBytes: () => captures.sizeBytes(),
    get: (id) => captures.get(id),
    content: (id) => captures.content(id),
    thumbnail: (id) => captures.thumbnail(id),
    raw: (id) => captures.raw(id),
    remove: (ids) => captures.remove(ids),
    onChange: (listener) => captures.onChange(listener),
  };
}

/** Files captures of earlier visits, the newest first, until a whole page of them was filed already. */
export async function fileEarlierCaptures({ captures, outbox, store, onFailure }: FilingPorts): Promise<void> {
  try {
    for (let before: string | null = null; ;) {
      const page: readonly Capture[] = await captures.page(before, pageSize);
      const filed = await Promise.all(
        page.map(async ({ id }) => (await store.ofCapture(id)).some(({ targetId }) => targetId === browserTarget.id)),
      );
      const lacking = page.filter((_, at) => !filed[at]);
      if (lacking.length === 0) return;
      await outbox.sendCaptures(lacking, browserTarget.id);
      if (page.length < pageSize) return;
      before = page.at(-1)!.id;
    }
  } catch (error) {
    onFailure(error);
  }
}
