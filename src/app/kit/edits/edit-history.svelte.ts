export interface HistoryEntry<T> {
  /** name of the edit in the undo tooltip: "Threshold of face" */
  readonly label: string;
  readonly before: T;
  readonly after: T;
  /** a side effect of the step outside of the value, which undo also reverts */
  readonly beside?: BesideValue | undefined;
}

/** Called after undo or redo has returned the value. */
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
 * Undo and redo of whole values. Changes with the same coalesce key form one step until `settle()`, so that a
 * slider drag of a hundred events is undone at once.
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

  /**
   * Adds to the last step, which keeps its label: both are undone at once. Without one it is a step of its own.
   * @param join the state of one end of the whole, of what both steps say of it: its own first
   */
  join(entry: HistoryEntry<T>, join: (own: T, other: T) => T): void {
    const last = this.#past.at(-1);
    if (!last) return this.record(entry);
    const before = join(last.before, entry.before);
    const after = join(entry.after, last.after);
    const beside = last.beside ?? entry.beside;
    this.#past = [...this.#past.slice(0, -1), { ...last, before, after, beside }];
    this.#future = [];
  }

  /** Ends the current step: the next change starts a new one, whatever its key. */
  settle(): void {
    const last = this.#past.at(-1);
    if (last && last.coalesceKey !== null) {
      this.#past = [...this.#past.slice(0, -1), { ...last, coalesceKey: null }];
    }
  }

  /** Goes back one step and returns the value before it; null: there is none. */
  undo(): T | null {
    const last = this.#past.at(-1);
    if (!last) return null;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, { ...last, coalesceKey: null }];
    if (last.beside) queueMicrotask(last.beside.undo);
    return last.before;
  }

  /** Goes forward one step and returns the value after it; null: there is none. */
  redo(): T | null {
    const next = this.#future.at(-1);
    if (!next) return null;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, next];
    if (next.beside) queueMicrotask(next.beside.redo);
    return next.after;
  }

  /** The steps that can be undone, the latest last, and those that can be redone, the next one last. */
  get steps(): HistorySteps<T> {
    return { past: this.#past, future: this.#future };
  }

  /** Replaces the steps by those of an earlier visit. */
  restore({ past, future }: HistorySteps<T>): void {
    const settled = (entry: HistoryEntry<T>): OpenEntry<T> => ({ ...entry, coalesceKey: null });
    this.#past = past.map(settled);
    this.#future = future.map(settled);
  }

  clear(): void {
    this.restore({ past: [], future: [] });
  }
}
