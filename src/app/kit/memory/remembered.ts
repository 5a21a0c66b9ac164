/** The part of Storage that the page remembers its layout in. */
export type MemoryPort = Pick<Storage, 'getItem' | 'setItem'>;

/** A storage of which something can be taken back, too. */
type ClearingMemory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'sightglass:';

/** Reads what an earlier visit wrote; null when there is nothing, or nothing that parses. */
export function recall(memory: MemoryPort, key: string): unknown {
  try {
    return JSON.parse(memory.getItem(PREFIX + key) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a value for the next visit. A full or forbidden storage loses the layout, nothing else. */
export function remember(memory: MemoryPort, key: string, value: unknown): void {
  try {
    memory.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Private windows refuse writes; the bench works without.
  }
}

/**
 * The browser's storage, or where it is blocked (asking for it throws then) one that lasts as long as the page, and says so as
 * a storage does that is full: by throwing.
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
 * What a tab remembers: a reload finds what this tab wrote, whatever other tabs did since, and a new tab begins with what any
 * tab wrote last. Writing throws where what all tabs share refuses it.
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
