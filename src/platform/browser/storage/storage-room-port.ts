/** How much of this browser's storage the page uses and may use; figures are the browser's estimate, in bytes. */
export interface StorageRoom {
  readonly usedBytes: number;
  readonly quotaBytes: number;
  /** the browser keeps it until its user clears it, also when the disk runs short */
  readonly persistent: boolean;
}

export interface StorageRoomPort {
  /** null where the browser does not say. */
  measure(): Promise<StorageRoom | null>;
  /** Asks that what is kept stays kept; whether it will. */
  askToPersist(): Promise<boolean>;
}

export function createStorageRoomPort(): StorageRoomPort {
  // absent on pages over plain http
  const storage = navigator.storage as StorageManager | undefined;
  return {
    async measure() {
      if (!storage?.estimate) return null;
      const [{ usage, quota }, persistent] = await Promise.all([storage.estimate(), storage.persisted()]);
      return usage === undefined || quota === undefined ? null : { usedBytes: usage, quotaBytes: quota, persistent };
    },
    async askToPersist() {
      return (await storage?.persist?.()) ?? false;
    },
  };
}
