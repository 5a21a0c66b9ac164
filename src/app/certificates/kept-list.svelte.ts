import { recall, remember, type MemoryPort } from '../kit/memory/remembered.ts';

/** Lists in several places of the page show the same values. */
let changeCount = $state(0);

/** A list that the browser keeps, of values that nobody has read yet. */
export class KeptList {
  readonly #memory: MemoryPort;
  readonly #key: string;

  constructor(memory: MemoryPort, key: 'certificates' | 'image-drift') {
    this.#memory = memory;
    this.#key = key;
  }

  readonly values: readonly unknown[] = $derived.by(() => {
    void changeCount;
    const kept = recall(this.#memory, this.#key);
    return Array.isArray(kept) ? kept : [];
  });

  write(values: readonly unknown[]): void {
    remember(this.#memory, this.#key, values);
    changeCount++;
  }
}
