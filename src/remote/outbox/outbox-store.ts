import type { OutboxEntry, OutboxState } from './outbox-entry.ts';
import type { OutboxTarget } from './outbox-target.ts';

/** A target and its waiting entries: at most as many as were asked for, the earliest due first, then by id. */
export interface TargetQueue {
  readonly target: OutboxTarget;
  readonly waiting: readonly OutboxEntry[];
}

/** Storage of the outbox, which survives a reload. Several tabs may open it at once. */
export interface OutboxStore {
  /**
   * Adds entries; an entry whose digest is stored already is not added. Durable when the promise resolves. Returns
   * the stored entry for each: itself, or the earlier one.
   * @throws CaptureStoreError
   */
  add(entries: readonly OutboxEntry[]): Promise<readonly OutboxEntry[]>;
  get(id: string): Promise<OutboxEntry | null>;
  /** A page of entries, newest first. `before` is the id of the last entry of the previous page. */
  page(state: OutboxState | null, before: string | null, limit: number): Promise<readonly OutboxEntry[]>;
  counts(): Promise<Readonly<Record<OutboxState, number>>>;
  /** The queues of all targets, read in one transaction; empty while the outbox is paused. */
  queues(limit: number): Promise<readonly TargetQueue[]>;
  /** All entries in a state, in the order of their ids. */
  inState(state: OutboxState): Promise<readonly OutboxEntry[]>;
  /** The entries of a capture, whatever their state. */
  ofCapture(captureId: string): Promise<readonly OutboxEntry[]>;
  /**
   * Reads, changes and writes one entry in one transaction. `change` returns null to leave the entry as it is; this
   * does too, and also if there is no such entry.
   */
  update(id: string, change: (entry: OutboxEntry) => OutboxEntry | null): Promise<OutboxEntry | null>;
  /** The same as `update`, where `change` is given the entries of the same capture too, as they are then: none for rows. */
  updateAmong(
    id: string,
    change: (entry: OutboxEntry, ofCapture: readonly OutboxEntry[]) => OutboxEntry | null,
  ): Promise<OutboxEntry | null>;
  remove(ids: readonly string[]): Promise<void>;

  targets(): Promise<readonly OutboxTarget[]>;
  target(id: string): Promise<OutboxTarget | null>;
  putTarget(target: OutboxTarget): Promise<void>;
  updateTarget(id: string, change: (target: OutboxTarget) => OutboxTarget): Promise<void>;
  removeTarget(id: string): Promise<void>;

  paused(): Promise<boolean>;
  setPaused(paused: boolean): Promise<void>;

  /** `listener` is called after any change, in this tab or another one. Returns the function that removes it. */
  onChange(listener: () => void): () => void;
}
