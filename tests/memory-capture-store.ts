import { correctedCapture } from '../src/evidence/capture/correct-capture.ts';
import type { CaptureParcel } from '../src/evidence/capture/capture.ts';
import { inOutbox, type CaptureStore } from '../src/evidence/capture/capture-store.ts';

/** The reference implementation of a capture store, in memory. `isToBeSent`: whether a capture must not be deleted yet. */
export function memoryCaptureStore(isToBeSent: (id: string) => Promise<boolean> = async () => false): CaptureStore {
  const parcels = new Map<string, CaptureParcel>();
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  return {
    async put(added) {
      for (const parcel of added) parcels.set(parcel.capture.id, parcel);
      changed();
    },
    page: async (before, limit) =>
      [...parcels.values()]
        .map(({ capture }) => capture)
        .filter(({ id }) => before === null || id < before)
        .sort((a, b) => (a.id > b.id ? -1 : 1))
        .slice(0, limit),
    count: async () => parcels.size,
    sizeBytes: async () => [...parcels.values()].reduce((sum, { content }) => sum + content.size, 0),
    get: async (id) => parcels.get(id)?.capture ?? null,
    content: async (id) => parcels.get(id)?.content ?? null,
    thumbnail: async (id) => parcels.get(id)?.thumbnail ?? null,
    raw: async (id) => parcels.get(id)?.raw ?? null,
    async correct(id, correction, nowMs) {
      const parcel = parcels.get(id);
      if (!parcel) return null;
      const capture = correctedCapture(parcel.capture, correction, nowMs);
      parcels.set(id, { ...parcel, capture });
      changed();
      return capture;
    },
    async remove(ids) {
      const held = (await Promise.all(ids.map(isToBeSent))).filter(Boolean).length;
      if (held > 0) throw inOutbox(held);
      for (const id of ids) parcels.delete(id);
      changed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
