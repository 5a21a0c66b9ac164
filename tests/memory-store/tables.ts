import { notFound } from '../../src/data-service/ports/store-refusals.ts';
import type { Actor, AuditRow, Change } from '../../src/data-service/ports/audit-store.ts';
import type { Clock } from '../../src/data-service/ports/clock.ts';
import type { BinaryRecord, Micros, TabularRow } from '../../src/data-service/ports/stored-captures.ts';
import { datasetIdsOf, type Summary } from '../../src/data-service/ports/capture-filter.ts';
import { requireQuota, sumByOrganization, sentBytes, type Usage } from '../../src/data-service/ports/usage-store.ts';
import { countedChanges, freeDescriptionBytes } from '../../src/data-service/ports/growth.ts';
import type { Deletion } from '../../src/data-service/ports/deletion-store.ts';
import type { Dataset } from '../../src/data-service/ports/dataset-store.ts';
import type { ApiKey, DatabaseUser, Location, Organization, Part } from '../../src/data-service/ports/access-store.ts';
import type { LabelComment, LabelScheme, LabelTask } from '../../src/data-service/ports/label-store.ts';
import type { StoredIndex } from '../../src/data-service/ports/index-store.ts';
import type { Invitation, Membership, Passkey, Person, Session } from '../../src/data-service/ports/people-store.ts';
import type { Pipeline, PipelineRun } from '../../src/data-service/ports/pipeline-store.ts';
import type { SavedQuery } from '../../src/data-service/ports/saved-query-store.ts';
import type { Sequence } from '../../src/data-service/ports/sequence-store.ts';
import { StoreError } from '../../src/data-service/ports/store-error.ts';
import { callRows, type Summing } from '../../src/platform/data-store/call-rows.ts';
import { comparePositions } from '../../src/platform/data-store/capture-ranges.ts';
import type { Presence } from '../../src/platform/data-store/label-rules.ts';
import type { UploadReceipt } from '../../src/data-service/ports/upload-receipt.ts';

/**
 * The tables of the memory stores. Each method of a store runs without awaiting, and checks everything before its first
 * change: so it is a transaction.
 */
export class Tables {
  readonly binary = new Map<string, BinaryRecord>();
  readonly tabular = new Map<string, TabularRow>();
  readonly receipts = new Map<string, UploadReceipt>();
  readonly datasets = new Map<string, Dataset>();
  readonly organizations = new Map<string, Organization>();
  readonly locations = new Map<string, Location>();
  readonly parts = new Map<string, Part>();
  readonly keys = new Map<string, ApiKey>();
  /** when access tokens expire */
  readonly tokenRenewals = new Map<string, Micros>();
  readonly databaseUsers = new Map<string, DatabaseUser>();
  readonly installationSecrets = new Map<string, Uint8Array>();
  readonly pipelines = new Map<string, Pipeline>();
  readonly runs = new Map<string, PipelineRun>();
  /** by pipeline, then by `<window start>/<position>` */
  readonly sinks = new Map<string, Map<string, Uint8Array>>();
  readonly indexes = new Map<string, StoredIndex>();
  readonly savedQueries = new Map<string, SavedQuery>();
  readonly sequences = new Map<string, Sequence>();
  readonly labelTasks = new Map<string, LabelTask>();
  readonly labelComments = new Map<string, LabelComment>();
  /** by dataset */
  readonly labelSchemes = new Map<string, LabelScheme>();
  /** by image and `actorKey` */
  readonly presence = new Map<string, Presence>();
  readonly people = new Map<string, Person>();
  readonly members = new Map<string, Membership>();
  readonly passkeys = new Map<string, Passkey>();
  readonly invitations = new Map<string, Invitation>();
  readonly sessions = new Map<string, Session>();
  readonly deletions = new Map<string, Deletion>();
  audit: AuditRow[] = [];
  auditRows = 0;
}

/** Adds rows for changes, by one actor. */
export type KeepChanges = (changes: readonly Change[]) => void;

/** @param actor null: no rows */
export function keepChangesOf(tables: Tables, clock: Clock, actor: Actor | null, summing: Summing): KeepChanges {
  if (actor === null) return () => undefined;
  const rowsOf = callRows(actor, summing, () => `audit-${String(++tables.auditRows).padStart(9, '0')}`);
  return (changes) => {
    for (const [rows, own] of rowsOf(changes)) {
      const stored = tables.audit.filter(
        ({ organizationId, time, id }) =>
          organizationId === rows.organizationId && time === rows.time && id >= rows.ids[0] && id <= rows.ids[1],
      );
      const { added, replaced } = rows.write(own, stored.toSorted(comparePositions).at(-1) ?? null, clock.now());
      if (replaced !== null) tables.audit = tables.audit.filter(({ id }) => id !== replaced.id);
      tables.audit.push(...added, ...(replaced === null ? [] : [replaced]));
    }
  };
}

export const receiptKey = (organizationId: string, uploadId: string): string => `${organizationId}/${uploadId}`;

/** @throws StoreError already-exists if this upload was stored before */
export function requireNewReceipt(tables: Tables, { organizationId, uploadId }: UploadReceipt): void {
  if (tables.receipts.has(receiptKey(organizationId, uploadId))) {
    throw new StoreError('already-exists', `Upload ${uploadId} is stored already.`, { subject: uploadId });
  }
}

export function keepReceipt(tables: Tables, receipt: UploadReceipt): void {
  if (receipt.fromClient) tables.receipts.set(receiptKey(receipt.organizationId, receipt.uploadId), receipt);
}

/** @throws StoreError not-found if a dataset tag names no dataset of the organization */
export function requireDatasets(tables: Tables, organizationId: string, tags: readonly string[]): void {
  requireOwnDatasets(tables, organizationId, datasetIdsOf(tags));
}

/** @throws StoreError not-found for the first that is no dataset of the organization */
export function requireOwnDatasets(tables: Tables, organizationId: string, ids: readonly string[]): void {
  for (const id of ids) {
    if (tables.datasets.get(id)?.organizationId !== organizationId) throw notFound('dataset', id);
  }
}

/** What an organization stores, by counting. */
export function usageOf(tables: Tables, organizationId: string): Usage {
  const countOf = (rows: Iterable<Parameters<typeof sumByOrganization>[0][number]>): Summary =>
    sumByOrganization([...rows]).get(organizationId) ?? { count: 0, totalSizeBytes: 0 };
  const kept = [
    ...tables.labelTasks.values(),
    ...tables.labelComments.values(),
    ...tables.labelSchemes.values(),
    ...tables.audit.filter(({ what }) => countedChanges.includes(what)),
  ];
  const labelling = countOf(kept.map((row) => ({ ...row, sizeBytes: JSON.stringify(row).length })));
  const descriptions = [...tables.binary.values()]
    .filter((file) => file.organizationId === organizationId)
    .map((file) => JSON.stringify(file).length - freeDescriptionBytes);
  return {
    files: countOf(tables.binary.values()),
    readings: countOf(tables.tabular.values()),
    labelling: {
      ...labelling,
      totalSizeBytes: labelling.totalSizeBytes + descriptions.reduce((sum, bytes) => sum + Math.max(0, bytes), 0),
    },
  };
}

/** @throws StoreError resource-exhausted if an organization would store more than its quota */
export function requireQuotas(tables: Tables, rows: readonly (BinaryRecord | TabularRow)[]): void {
  for (const [id, { totalSizeBytes }] of sumByOrganization(rows)) {
    requireQuota(tables.organizations.get(id)?.quotaBytes, sentBytes(usageOf(tables, id)), totalSizeBytes);
  }
}

/** The entry, or `not-found`. */
export function required<T>(table: ReadonlyMap<string, T>, thing: string, id: string): T {
  const found = table.get(id);
  if (found === undefined) throw notFound(thing, id);
  return found;
}
