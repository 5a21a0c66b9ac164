export interface HistoryEntry<T> {
  /** what was done, in the words of the undo tooltip: "Threshold of face" */
  readonly label: string;
  readonly before: T;
  readonly after: T;
  /** what the step did outside of the value, and takes back with it */
  readonly beside?: BesideValue | undefined;
}

/** Called after the value was handed back. */
export interface BesideValue {
  readonly undo: () => void;
  readonly redo: () => void;
}

export interface HistorySteps<T> {
  readonly past: readonly HistoryEntry<T>[];
  readonly future: readonly HistoryEntry<T>[];
}

interface OpenEntry<T> extends HistoryEntry<T> {
  readonly coalesceKey: string | null;
}

const MAX_ENTRIES = 500;

/**
 * Undo and redo over whole values. Changes that share a coalesce key form one step until `settle()`,
 * so that a slider drag of a hundred events is undone at once.
 */
export class EditHistory<T> {
  #past = $state.raw<readonly OpenEntry<T>[]>([]);
  #future = $state.raw<readonly OpenEntry<T>[]>([]);

  get undoLabel(): string | null {
    return this.#past.at(-1)?.label ?? null;
  }

  get redoLabel(): string | null {
    return this.#future.at(-1)?.label ?? null;
  }

  record(entry: HistoryEntry<T>, coalesceKey: string | null = null): void {
    const last = this.#past.at(-1);
    const continues = last !== undefined && coalesceKey !== null && last.coalesceKey === coalesceKey;
    const kept = continues ? this.#past.slice(0, -1) : this.#past.slice(-(MAX_ENTRIES - 1));
    const { before, beside } = continues ? last : entry;
    this.#past = [...kept, { ...entry, before, beside, coalesceKey }];
    this.#future = [];
  }

  /** Ends the running step: the next change starts a new one, whatever its key. */
  settle(): void {
    const last = this.#past.at(-1);
    if (last && last.coalesceKey !== null) {
      this.#past = [...this.#past.slice(0, -1), { ...last, coalesceKey: null }];
    }
  }

  /** The value before the last step; null when there is none. */
  undo(): T | null {
    const last = this.#past.at(-1);
    if (!last) return null;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, { ...last, coalesceKey: null }];
    if (last.beside) queueMicrotask(last.beside.undo);
    return last.before;
  }

  /** The value after the step undone last; null when there is none. */
  redo(): T | null {
    const next = this.#future.at(-1);
    if (!next) return null;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, next];
    if (next.beside) queueMicrotask(next.beside.redo);
    return next.after;
  }

  /** The steps that were done, the last one last, and those that were undone, the next one to be done again last. */
  get steps(): HistorySteps<T> {
    return { past: this.#past, future: this.#future };
  }

  /** Puts the steps of an earlier visit in the place of those that there are. */
  restore({ past, future }: HistorySteps<T>): void {
    const settled = (entry: HistoryEntry<T>): OpenEntry<T> => ({ ...entry, coalesceKey: null });
    this.#past = past.map(settled);
    this.#future = future.map(settled);
  }

  clear(): void {
    this.restore({ past: [], future: [] });
  }
}
