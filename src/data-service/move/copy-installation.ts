import { sweepBlobs } from '../deletes/sweep-blobs.ts';
import type { Ids } from '../ports/ids.ts';
import { rowKinds, type AddedKind } from '../ports/installation-rows.ts';
import type { UploadReceipt } from '../ports/upload-receipt.ts';
import { copyFiles, copyReadings } from './copy-captures.ts';
import type { MoveReport, MovedStore } from './moved-store.ts';

/**
 * Makes a store hold what another one holds: captures that it has already stay, everything else is copied anew, so that a copy
 * that was interrupted goes on. Files whose bytes are lost or damaged are left out; `compareInstallations` names them.
 *
 * Captures come before organizations, so that none is refused for a quota, and nobody can use a copy that is half made.
 * @param source what is copied; nobody writes to it
 * @param target what it is copied into; nobody else has it open
 * @param ids for the receipts that inserting captures wants, which are not kept
 * @param report hears how far it is
 * @throws StoreError where a store cannot be used
 * @example
 * const rows = { async *pages() {}, clear: async () => undefined };
 * const empty = { rows, access: { listOrganizations: async () => [] }, now: async () => 0, blobs: { async *list() {} }, binary: { unownedBlobs: async () => [] } };
 * await copyInstallation(empty, empty, { next: () => '1' }, { say() {}, print() {} }); // => undefined
 */
export async function copyInstallation(
  source: MovedStore,
  target: MovedStore,
  ids: Ids,
  report: MoveReport,
): Promise<void> {
  await target.rows.clear();
  await copyRows('dataset', source, target);
  const organizationIds = (await source.access.listOrganizations()).map(({ id }) => id);
  for (const organizationId of organizationIds) {
    const receipt = (): UploadReceipt => unkeptReceipt(organizationId, ids);
    await copyReadings(source, target, organizationId, receipt, report);
    await copyFiles(source, target, organizationId, receipt, report);
  }
  // what a copy that was interrupted has put without a row; nobody else writes
  await sweepBlobs({ store: target }, -Infinity);
  for (const kind of rowKinds) {
    if (kind === 'dataset' || kind === 'index') continue;
    report.say(`copying each ${kind}`);
    await copyRows(kind, source, target);
  }
  for await (const indexes of source.rows.pages('index')) {
    for (const index of indexes) {
      report.say(`building the index ${index.name}`);
      await target.as(null).indexes.create(index); // the index's row in the audit was copied
    }
  }
}

async function copyRows(kind: AddedKind, source: MovedStore, target: MovedStore): Promise<void> {
  for await (const rows of source.rows.pages(kind)) await target.rows.add(kind, rows);
}

/** The receipt that inserting wants for an upload that had no id: the receipts of clients are copied as they are. */
const unkeptReceipt = (organizationId: string, ids: Ids): UploadReceipt => ({
  organizationId,
  uploadId: ids.next(),
  fromClient: false,
  fileId: '',
  binaryDataId: '',
  timeSynced: 0,
});
