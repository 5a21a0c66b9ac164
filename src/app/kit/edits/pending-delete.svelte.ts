import { counted } from '../words/figures.ts';
import { BulkEdits, type RunningEdit, type EditOutcome } from './bulk-edits.svelte.ts';

export interface PendingDeletePorts {
  readonly announce: (sentence: string) => void;
  readonly remove: (ids: readonly string[]) => Promise<unknown>;
  readonly now: () => number;
  /** Calls about every 250 ms until the returned function is called. */
  readonly tick: (run: () => void) => () => void;
}

const undoMs = 10_000;

interface Pending {
  readonly ids: ReadonlySet<string>;
  readonly dueMs: number;
  readonly onDeleted: () => void;
}

/**
 * Deletes files ten seconds after the request, unless it is cancelled. Nothing is sent before: if the page is
 * closed meanwhile, nothing is deleted.
 */
export class PendingDelete {
  readonly #ports: PendingDeletePorts;
  readonly #edits: BulkEdits;
  #pending = $state.raw<Pending | null>(null);
  #nowMs = $state(0);
  #stop: () => void = () => undefined;
  #noun = 'file';

  constructor(ports: PendingDeletePorts) {
    this.#ports = ports;
    this.#edits = new BulkEdits(ports.announce, () => this.#noun);
  }

  get count(): number {
    return this.#pending?.ids.size ?? 0;
  }

  /** "12 images" */
  get what(): string {
    return counted(this.count, this.#noun);
  }

  get leftSeconds(): number {
    return this.#pending ? Math.max(0, Math.ceil((this.#pending.dueMs - this.#nowMs) / 1000)) : 0;
  }

  get running(): RunningEdit | null {
    return this.#edits.running;
  }

  get outcome(): EditOutcome | null {
    return this.#edits.outcome;
  }

  /** Whether a file is about to be deleted. */
  has(id: string): boolean {
    return this.#pending?.ids.has(id) ?? false;
  }

  dismiss(): void {
    this.#edits.dismiss();
  }

  cancel(): void {
    this.#edits.cancel();
  }

  /** Starts the ten seconds. Files of an earlier request that still wait are deleted now. */
  async begin(ids: ReadonlySet<string>, noun: string, onDeleted: () => void): Promise<void> {
    await this.now();
    this.#nowMs = this.#ports.now();
    this.#noun = noun;
    this.#pending = { ids, dueMs: this.#nowMs + undoMs, onDeleted };
    this.#ports.announce(`${this.what} will be deleted in ten seconds. Undo with Control Z.`);
    this.#stop = this.#ports.tick(() => {
      this.#nowMs = this.#ports.now();
      if (this.#pending && this.#nowMs >= this.#pending.dueMs) void this.now();
    });
  }

  undo(): void {
    if (!this.#pending) return;
    this.#ports.announce(`${this.what} kept.`);
    this.#clear();
  }

  /** Deletes the waiting files at once. */
  async now(): Promise<void> {
    const pending = this.#pending;
    if (!pending) return;
    this.#clear();
    const { ids, onDeleted } = pending;
    const what = { doing: 'Deleting', done: 'deleted', edit: this.#ports.remove };
    await this.#edits.run(what, { count: ids.size, ids });
    onDeleted();
  }

  #clear(): void {
    this.#stop();
    this.#stop = () => undefined;
    this.#pending = null;
  }
}
