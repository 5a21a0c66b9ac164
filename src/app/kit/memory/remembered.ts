/** The part of Storage that the page stores its layout with. */
export type MemoryPort = Pick<Storage, 'getItem' | 'setItem'>;

/** A storage from which values can also be removed. */
type ClearingMemory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'sightglass:';

/** Reads a stored value; null: there is none, or it cannot be parsed. */
export function recall(memory: MemoryPort, key: string): unknown {
  try {
    return JSON.parse(memory.getItem(PREFIX + key) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * Stores a value for the next visit. If the storage is full or forbidden, only the layout is lost, as a rule.
 * @returns whether it is stored
 */
export function remember(memory: MemoryPort, key: string, value: unknown): boolean {
  try {
    memory.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false; // Private windows refuse writes; the bench works without them.
  }
}

/**
 * The browser's storage; if it is blocked (access to it throws then), one that lasts as long as the page and throws
 * on writing, as a full storage does.
 */
export function openMemory(storage: () => ClearingMemory): ClearingMemory {
  try {
    return storage();
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem(key, value) {
        kept.set(key, value);
        throw new Error('This browser keeps nothing for the page.');
      },
      removeItem: (key) => void kept.delete(key),
    };
  }
}

/**
 * The storage of one tab: after a reload it returns what this tab wrote, whatever other tabs wrote since; a new tab
 * starts with the latest values of any tab. Writing throws if the shared storage refuses it.
 */
export function openTabMemory(tab: ClearingMemory, shared: MemoryPort): MemoryPort {
  return {
    getItem: (key) => tab.getItem(key) ?? shared.getItem(key),
    setItem(key, value) {
      try {
        tab.setItem(key, value);
      } catch {
        tab.removeItem(key); // or an older value would hide what all tabs share
      }
      shared.setItem(key, value);
    },
  };
}
