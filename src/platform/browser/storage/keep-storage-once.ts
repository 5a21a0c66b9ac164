import type { StorageRoomPort } from './storage-room-port.ts';

const askedKey = 'sightglass:asked-to-persist';

/**
 * Asks the browser once to keep what is stored, when something is: some ask their user, who is not to be asked at every
 * visit. Where storage is blocked there is nothing to keep.
 */
export function keepStorageOnce(
  room: Pick<StorageRoomPort, 'askToPersist'>,
  memory: Pick<Storage, 'getItem' | 'setItem'>,
): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    try {
      if (memory.getItem(askedKey) !== null) return;
      memory.setItem(askedKey, 'yes');
    } catch {
      // asked again at the next visit
    }
    room.askToPersist().catch(() => undefined); // the storage stays as it was
  };
}
