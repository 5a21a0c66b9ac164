import {
  type BinaryFilter,
  type BinaryRecord,
  type BinaryStore,
  byText,
  changesOfFiles,
  changesOfUploads,
  datasetIdsOf,
  deletionsOfFiles,
  matchesBinary,
} from '../../../../data-service/face/captures.ts';
import type { Clock } from '../../../../data-service/face/hosts.ts';
import { labelMarks, tagMarks } from '../../../data-store/capture-marks.ts';
import { joinBinary } from '../../../data-store/capture-stream.ts';
import { keepReceipt } from '../../../data-store/entities/receipt-store.ts';
import { runInTurn } from '../../../data-store/steps.ts';
import { byImage } from '../../../data-store/label-rules.ts';
import { notFound } from '../../../../data-service/face/stores.ts';
import { IdbTables, type KeepChanges } from './idb-tables.ts';
import type { PendingBlobs } from './idb-blob-store.ts';
import type { IdbCaptures } from './idb-captures.ts';
import { type CaptureCollection } from './idb-captures.ts';
import type { IdbDatabase } from './idb-database.ts';
import { fileStores, replaceFiles } from './idb-files.ts';
import { forgetLabels, assignments } from './idb-label-store.ts';
import type { IdbResults } from './idb-result-store.ts';
import type { IdbUsage } from './idb-usage.ts';
import { requireDatasets } from '../../../data-store/entities/require-datasets.ts';

export const binaryCaptures: CaptureCollection<BinaryRecord, BinaryFilter> = {
  name: 'binary',
  join: joinBinary,
  matches: matchesBinary,
};

/** What an upload writes, apart from its rows in the audit. */
const insertStores = [
  'binary',
  'blobs',
  'streams',
  'tallies',
  'resultSheets',
  'receipts',
  'datasets',
  'organizations',
] as const;

/** `pending`: blobs of records that are still to come. */
export function idbBinaryStore(
  database: IdbDatabase,
  captures: IdbCaptures<BinaryRecord, BinaryFilter>,
  usage: IdbUsage,
  results: IdbResults,
  pending: PendingBlobs,
  clock: Clock,
  keep: KeepChanges,
): BinaryStore {
  const distinct = (
    filter: BinaryFilter,
    kind: { readonly from: string; readonly to: string },
    textsOf: (record: BinaryRecord) => readonly string[],
  ): Promise<readonly string[]> =>
    database.read(['binary', 'streams'], async (transaction) => {
      const marks = await captures.marks(transaction, filter, kind);
      if (marks !== null) return [...marks].map((mark) => mark.slice(1)).sort(byText);
      const texts = new Set<string>();
      const all = { filter, order: 'ascending', after: null, limit: Infinity } as const;
      for await (const records of captures.scan(transaction, all)) {
        for (const record of records) for (const text of textsOf(record)) texts.add(text);
      }
      return [...texts].sort(byText);
    });

  return {
    async insert(records, receipt) {
      const blobs = [...pending].filter(([address]) => records.some(({ blobAddress }) => blobAddress === address));
      const changes = changesOfUploads(records);
      const stores = changes.length > 0 ? ([...insertStores, 'auditRows'] as const) : insertStores;
      try {
        const places = await database.writeTogether(stores, async (transaction) => {
          // asked for at once: each answer that is waited for costs a trip to the browser's process
          await Promise.all([
            // an id that was made here has no receipt yet, and none is asked for again
            receipt.fromClient && runInTurn(keepReceipt(new IdbTables(transaction, clock), receipt)),
            ...records.map(({ organizationId, tags }) =>
              runInTurn(requireDatasets(new IdbTables(transaction, clock), organizationId, datasetIdsOf(tags))),
            ),
            ...blobs.map(([address, blob]) => transaction.objectStore('blobs').add(blob, address)),
            captures.put(transaction, records),
            keep(transaction, changes),
          ]);
          await usage.requireQuotas(transaction, records);
          return results.forget(transaction, records);
        });
        results.added(places);
      } finally {
        for (const [address] of blobs) pending.delete(address);
      }
    },
    get: (organizationId, ids) =>
      database.read(['binary', 'streams'], (transaction) => captures.get(transaction, organizationId, ids)),
    page: (scan) => database.read(['binary', 'streams'], (transaction) => captures.page(transaction, scan)),
    summarize: (filter) =>
      database.read(['binary', 'streams', 'tallies'], (transaction) => captures.summarize(transaction, filter)),
    edit: (organizationId, ids, edit, assignee) =>
      database.write([...fileStores, 'datasets', 'labelTasks'], async (transaction) => {
        const records = await captures.get(transaction, organizationId, ids);
        const own = byImage(assignee ? await assignments(transaction, organizationId, assignee, ids) : []);
        const edited = records.map((before, index) => {
          if (before === null) throw notFound('binary data', ids[index]!);
          return { before, after: edit(before, own(before.id)) };
        });
        for (const { before, after } of edited) {
          const known = new Set(datasetIdsOf(before.tags));
          const added = datasetIdsOf(after.tags).filter((dataset) => !known.has(dataset));
          await runInTurn(requireDatasets(new IdbTables(transaction, clock), organizationId, added));
        }
        const changed = edited.filter(({ before, after }) => before !== after);
        await replaceFiles(transaction, captures, results, changed);
        await keep(transaction, changesOfFiles(changed));
        return edited;
      }),
    delete: (organizationId, ids) =>
      database.write([...fileStores, 'labelTasks', 'labelComments'], async (transaction) => {
        const found = await captures.get(transaction, organizationId, [...new Set(ids)]);
        const records = found.filter((record) => record !== null);
        await captures.delete(transaction, records);
        await results.forget(transaction, records);
        await forgetLabels(transaction, records);
        await keep(transaction, deletionsOfFiles(records));
        return records;
      }),
    distinctTags: (filter) => distinct(filter, tagMarks, ({ tags }) => tags),
    distinctBoxLabels: (filter) =>
      distinct(filter, labelMarks, ({ boundingBoxes }) => boundingBoxes.map(({ label }) => label)),
    unownedBlobs: (addresses) =>
      database.read(['binary'], async (transaction) => {
        const byBlob = transaction.objectStore('binary').index('blob');
        const owners = await Promise.all(addresses.map((address) => byBlob.getKey(address)));
        return addresses.filter((_, index) => owners[index] === undefined);
      }),
  };
}
