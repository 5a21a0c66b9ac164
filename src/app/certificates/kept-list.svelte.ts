import { recall, remember, type MemoryPort } from '../kit/memory/remembered.ts';

type ListName = 'certificates' | 'image-drift';

/** Lists in several places of the page show the same values. */
let changeCount = $state(0);

// Another tab wrote the list, or cleared the storage (no key).
globalThis.addEventListener?.('storage', ({ key }) => {
  if (/certificates|image-drift|^$/.test(key ?? '')) changeCount++;
});

/** A list that all tabs of the browser share, of values that nobody has read yet. */
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

  /** @returns whether the browser stores it */
  write(values: readonly unknown[]): boolean {
    const isStored = remember(this.#memory, this.#key, values);
    changeCount++;
    return isStored;
  }

  /** Changes what is stored at this moment, whichever tab wrote it. @returns whether the browser stores it */
  change(change: (stored: readonly unknown[]) => readonly unknown[]): boolean {
    return this.write(change(this.#stored()));
  }

  #stored(): readonly unknown[] {
    const kept = recall(this.#memory, this.#key);
    return Array.isArray(kept) ? kept : [];
  }
}
