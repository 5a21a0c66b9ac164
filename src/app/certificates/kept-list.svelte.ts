import { recall, remember, type MemoryPort } from '../kit/memory/remembered.ts';

type ListName = 'certificates' | 'image-drift';

/** Lists in several places of the page show the same values. */
let changeCount = $state(0);

// Another tab wrote the list, or cleared the storage (no key).
globalThis.addEventListener?.('storage', ({ key }) => {
  if (/certificates|image-drift|^$/.test(key ?? '')) changeCount++;
});

/** A list that all tabs of the browser share. Its values are parsed JSON that whoever reads them still has to check. */
export class KeptList {
  readonly #memory: MemoryPort;
  readonly #key: ListName;

  /** @param memory that all tabs share: what one tab has would hide what another one adds */
  constructor(memory: MemoryPort, key: ListName) {
    this.#memory = memory;
    this.#key = key;
  }

  readonly values: readonly unknown[] = $derived.by(() => {
    void changeCount;
    return this.#stored();
  });

  /** Changes what is stored at this moment, whichever tab wrote it. @returns whether the browser stores it */
  change(change: (stored: readonly unknown[]) => readonly unknown[]): boolean {
    const isStored = remember(this.#memory, this.#key, change(this.#stored()));
    changeCount++;
    return isStored;
  }

  #stored(): readonly unknown[] {
    const kept = recall(this.#memory, this.#key);
    return Array.isArray(kept) ? kept : [];
  }
}
