import { type DeletedCounts, deleteOldest, deleteOutdated, type Retention } from '../../data-service/face/files.ts';
import type { DataStore } from '../../data-service/face/stores.ts';
import type { Disk } from '../../data-service/face/hosts.ts';
import { keepRoom } from './room-keeping-store.ts';
import { StorageRoom, type RoomLimits } from './storage-room.ts';

export interface StorageRules {
  readonly limits: RoomLimits;
  readonly retention: Retention;
  /** the files that give way when the budget is used up: those that come, or the oldest */
  readonly overBudget: 'refuse' | 'delete-oldest';
}

/** What a host stores, and the room that is left for it. */
export interface KeptStorage {
  /** the store, as far as there is room */
  readonly store: DataStore;
  readonly room: StorageRoom;
  /** Does what the rules ask for now; to be called now and then. `byAge`: whether the clock is believed that says what is old. */
  keep(signal: AbortSignal, byAge: boolean): Promise<DeletedCounts>;
}

/** The oldest begin to go before the budget is used up, so that uploads are not refused meanwhile. */
const beginAt = 0.95;
const endAt = 0.9;

/** @param nowMs of any clock that only goes on */
export function keepStorage(
  store: DataStore,
  disk: Disk,
  { limits, retention, overBudget }: StorageRules,
  nowMs: () => number,
): KeptStorage {
  const room = new StorageRoom(disk, store, limits, nowMs);
  const kept = keepRoom(store, { room, disk });
  const budget = overBudget === 'delete-oldest' ? (limits.budgetBytes ?? Infinity) : Infinity;
  const usesAtMost = async (share: number): Promise<boolean> =>
    budget === Infinity || (await room.look()).usedBytes <= share * budget;
  return {
    store: kept,
    room,
    async keep(signal, byAge) {
      const outdated = byAge ? await deleteOutdated({ store: kept }, retention, signal) : { files: 0, readings: 0 };
      const oldest = (await usesAtMost(beginAt))
        ? { files: 0, readings: 0 }
        : await deleteOldest(kept, () => usesAtMost(endAt), signal);
      if ((await room.fullDisk()) === null) await disk.holdReserve();
      return { files: outdated.files + oldest.files, readings: outdated.readings + oldest.readings };
    },
  };
}
