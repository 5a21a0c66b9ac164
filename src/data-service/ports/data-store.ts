import type { AccessStore } from './access-store.ts';
import type { Actor, AuditStore } from './audit-store.ts';
import type { BinaryStore } from './binary-store.ts';
import type { BlobStore } from './blob-store.ts';
import type { DatasetStore } from './dataset-store.ts';
import type { DeletionStore } from './deletion-store.ts';
import type { IndexStore } from './index-store.ts';
import type { LabelStore } from './label-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { PeopleStore } from './people-store.ts';
import type { PipelineStore } from './pipeline-store.ts';
import type { ResultStore } from './result-store.ts';
import type { SavedQueryStore } from './saved-query-store.ts';
import type { SequenceStore } from './sequence-store.ts';
import type { Micros } from './stored-captures.ts';
import type { TabularStore } from './tabular-store.ts';
import type { UploadReceiptStore } from './upload-receipt.ts';
import type { UsageStore } from './usage-store.ts';

/**
 * All stored data. All parts but `blobs` share one database, since some rules span them (a dataset tag needs its
 * dataset, a receipt is stored with its rows). Several processes may open the same store: no method relies on the
 * memory of this process (but leases, where one host at a time serves the store), and operations of several calls are
 * guarded by preconditions, not by locks.
 */
export interface DataStore {
  readonly binary: BinaryStore;
  readonly tabular: TabularStore;
  readonly results: ResultStore;
  readonly receipts: UploadReceiptStore;
  readonly datasets: DatasetStore;
  readonly access: AccessStore;
  readonly usage: UsageStore;
  readonly pipelines: PipelineStore;
  readonly indexes: IndexStore;
  readonly savedQueries: SavedQueryStore;
  readonly sequences: SequenceStore;
  readonly labels: LabelStore;
  readonly blobs: BlobStore;
  readonly leases: LeaseStore;
  readonly audit: AuditStore;
  /** null: a store whose callers wait for the end of what they delete, as in a browser */
  readonly deletions: DeletionStore | null;
  /** null: a store of one person, as in a browser */
  readonly people: PeopleStore | null;
  /**
   * The same data, for one call of this actor, whose writes follow each other: each change leaves a row in `audit`, written in its
   * transaction, and changes of one kind are summed over all writes. Each write through the store itself is a call of the service
   * (`serviceActor`). null: changes leave no rows, as in a move, which copies the rows too.
   */
  as(actor: Actor | null): ChangingStores;
  /**
   * The time by which hosts that share the store do things in turn: the same for all of them, however their own clocks differ. It
   * says what came after what, and whose lease is over.
   */
  now(): Promise<Micros>;
  /** When the oldest write began that may still become visible, by the same time; the time now, where there is none. */
  oldestWrite(): Promise<Micros>;
}

/** The parts of a store whose changes leave rows in the audit. Of uploads only tags and datasets do: all have receipts. */
export type ChangingStores = Pick<
  DataStore,
  | 'binary'
  | 'tabular'
  | 'datasets'
  | 'access'
  | 'pipelines'
  | 'indexes'
  | 'savedQueries'
  | 'sequences'
  | 'labels'
  | 'people'
>;
