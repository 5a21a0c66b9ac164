// Ports of the stores, and the rules that each of them holds.

export { type CheckPosition, type CheckState, firstCheckState, type KeptCheckState } from '../ports/check-state.ts';
export type { ChangingStores, DataStore } from '../ports/data-store.ts';
export type { Dataset, DatasetStore } from '../ports/dataset-store.ts';
export { type Deletion, type DeletionStore, leftToDelete } from '../ports/deletion-store.ts';
export {
  type AccessKind,
  type ChangedEntries,
  changesOf,
  changesOfDatabaseUser,
  changesOfRefusedLogIns,
  changesOfSecret,
} from '../ports/describe-changes.ts';
export type { IndexedCollection, IndexStore, StoredIndex } from '../ports/index-store.ts';
export {
  type AddedKind,
  type InstallationRow,
  type InstallationRows,
  type RowKind,
  rowKinds,
} from '../ports/installation-rows.ts';
export {
  type Assignment,
  type LabelComment,
  type LabelScheme,
  type LabelStore,
  type LabelTask,
  matchesTask,
  taskBytes,
  type TaskCount,
  type TaskEdit,
  type TaskFilter,
  taskPageBytes,
  type TaskState,
  taskStates,
} from '../ports/label-store.ts';
export type { Lease, LeaseStore } from '../ports/lease-store.ts';
export type { ClaimTerms, HeldRun, Pipeline, PipelineRun, PipelineStore } from '../ports/pipeline-store.ts';
export {
  recordedFrames,
  recordedMethod,
  type ResultFilter,
  type ResultKind,
  type ResultStore,
} from '../ports/result-store.ts';
export type { SavedQuery, SavedQueryStore } from '../ports/saved-query-store.ts';
export { StoreError, type StoreErrorCode } from '../ports/store-error.ts';
export { alreadyExists, newerSchema, notFound, receiptExists, requireInTime } from '../ports/store-refusals.ts';
export type { MoveMark, UnfinishedMove } from '../ports/unfinished-move.ts';
export {
  noUsage,
  requireQuota,
  sentBytes,
  sumByOrganization,
  type Usage,
  type UsageStore,
  withQuota,
} from '../ports/usage-store.ts';
