import type { OutboxEntry, OutboxState } from './outbox-entry.ts';
import type { OutboxTarget } from './outbox-target.ts';

/** A target and what waits for it: at most so many entries as were asked for, those due first, by time and then by id. */
export interface TargetQueue {
  readonly target: OutboxTarget;
  readonly waiting: readonly OutboxEntry[];
}

/** Where the outbox is kept, so that it survives a reload. Several tabs may have it open. */
export interface OutboxStore {
  /**
   * Adds entries; one whose digest is there already is not added. Durable when the promise resolves. Returns what stands
   * for each: itself or the one that was there. @throws CaptureStoreError
   */
  add(entries: readonly OutboxEntry[]): Promise<readonly OutboxEntry[]>;
  get(id: string): Promise<OutboxEntry | null>;
  /** The newest first. `before` is the id that the page before ended with. */
  page(state: OutboxState | null, before: string | null, limit: number): Promise<readonly OutboxEntry[]>;
  counts(): Promise<Readonly<Record<OutboxState, number>>>;
  /** What a sender goes by, as it is at one moment: nothing while the outbox is paused, else every target's queue. */
  queues(limit: number): Promise<readonly TargetQueue[]>;
  /** All entries in a state, in the order of their ids. */
  inState(state: OutboxState): Promise<readonly OutboxEntry[]>;
  /** The entries of a capture, whatever their state. */
  ofCapture(captureId: string): Promise<readonly OutboxEntry[]>;
  /**
   * Reads, changes and writes one entry, with nobody in between. `change` returns null to leave it as it is; so does
   * this, as when there is no such entry.
   */
  update(id: string, change: (entry: OutboxEntry) => OutboxEntry | null): Promise<OutboxEntry | null>;
  remove(ids: readonly string[]): Promise<void>;

  targets(): Promise<readonly OutboxTarget[]>;
  target(id: string): Promise<OutboxTarget | null>;
  putTarget(target: OutboxTarget): Promise<void>;
  updateTarget(id: string, change: (target: OutboxTarget) => OutboxTarget): Promise<void>;
  removeTarget(id: string): Promise<void>;

  paused(): Promise<boolean>;
  setPaused(paused: boolean): Promise<void>;

  /** Called when anything changed, here or in another tab. Returns what ends it. */
  onChange(listener: () => void): () => void;
}
