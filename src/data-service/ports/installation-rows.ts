import type { ApiKey, DatabaseUser, Location, Organization, Part } from './access-store.ts';
import type { AuditRow } from './audit-store.ts';
import type { Deletion } from './deletion-store.ts';
import type { Dataset } from './dataset-store.ts';
import type { StoredIndex } from './index-store.ts';
import type { LabelComment, LabelScheme, LabelTask } from './label-store.ts';
import type { Invitation, Membership, Passkey, Person, Session } from './people-store.ts';
import type { Pipeline, PipelineRun } from './pipeline-store.ts';
import type { SavedQuery } from './saved-query-store.ts';
import type { Sequence } from './sequence-store.ts';
import type { Micros } from './stored-captures.ts';
import type { UploadReceipt } from './upload-receipt.ts';

/** One document of a pipeline's results. */
export interface SinkRow {
  readonly organizationId: string;
  readonly pipelineId: string;
  readonly key: string;
  readonly document: Uint8Array;
}

/** What an installation keeps beside its captures, by kind. */
export interface InstallationRow {
  readonly organization: Organization;
  readonly location: Location;
  readonly part: Part;
  readonly key: ApiKey;
  readonly 'database-user': DatabaseUser;
  readonly 'token-renewal': { readonly token: string; readonly until: Micros };
  readonly secret: { readonly name: string; readonly secret: Uint8Array };
  readonly person: Person;
  readonly member: Membership;
  readonly passkey: Passkey;
  readonly invitation: Invitation;
  readonly session: Session;
  readonly dataset: Dataset;
  readonly sequence: Sequence;
  readonly 'saved-query': SavedQuery;
  readonly pipeline: Pipeline;
  readonly run: PipelineRun;
  readonly 'sink-document': SinkRow;
  readonly receipt: UploadReceipt;
  readonly 'audit-row': AuditRow;
  readonly task: LabelTask;
  readonly comment: LabelComment;
  readonly scheme: LabelScheme;
  readonly deletion: Deletion;
  readonly index: StoredIndex;
}

export type RowKind = keyof InstallationRow;

/**
 * All rows of an installation but its captures, as they are, to be copied into another store (`move`). Only stores that keep whole
 * installations have it. Nothing but the copying may write meanwhile: no rule that the other ports hold is asked.
 */
export interface InstallationRows {
  /**
   * All rows of a kind, of all organizations, a bounded number at a time. Runs come by pipeline and window, the oldest of a window
   * first; indexes also where they are not built yet; the others in an order of the store's own.
   */
  pages<Kind extends RowKind>(kind: Kind): AsyncIterable<readonly InstallationRow[Kind][]>;
  /**
   * Adds rows, all or none, behind those that are there: a run is newer than the runs of its window that were added before. A kind that
   * a row belongs to comes first (an organization before its locations). Indexes are not added but created (`IndexStore`).
   */
  add<Kind extends AddedKind>(kind: Kind, rows: readonly InstallationRow[Kind][]): Promise<void>;
  /** Deletes all rows of all kinds, indexes with what they have of captures. */
  clear(): Promise<void>;
}

export type AddedKind = Exclude<RowKind, 'index'>;

/** All kinds, each behind those that its rows belong to. */
export const rowKinds = Object.keys({
  organization: true,
  location: true,
  part: true,
  key: true,
  'database-user': true,
  'token-renewal': true,
  secret: true,
  person: true,
  member: true,
  passkey: true,
  invitation: true,
  session: true,
  dataset: true,
  sequence: true,
  'saved-query': true,
  pipeline: true,
  run: true,
  'sink-document': true,
  receipt: true,
  'audit-row': true,
  task: true,
  comment: true,
  scheme: true,
  deletion: true,
  index: true,
} satisfies Record<RowKind, true>) as readonly RowKind[];
