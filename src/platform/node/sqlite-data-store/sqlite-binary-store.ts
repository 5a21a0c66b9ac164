import {
  type BinaryFilter,
  type BinaryRecord,
  type BinaryStore,
  byText,
  changesOfFiles,
  changesOfUploads,
  datasetIdsOf,
  deletionsOfFiles,
} from '../../../data-service/face/captures.ts';
import { labelMarks, tagMarks } from '../../data-store/capture-marks.ts';
import { keepReceipt } from '../../data-store/entities/receipt-store.ts';
import { byImage } from '../../data-store/label-rules.ts';
import { runNow } from '../../data-store/steps.ts';
import { notFound, sumByOrganization } from '../../../data-service/face/stores.ts';
import { binaryCaptures } from './binary-captures.ts';
import { SqliteCaptures } from './sqlite-captures.ts';
import { requireDatasets } from '../../data-store/entities/require-datasets.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { forgetLabels, assignments } from './sqlite-label-store.ts';
import type { KeepChanges, SqliteTables } from './sqlite-tables.ts';
import type { SqliteResults } from './sqlite-result-store.ts';
import { countAdded, countDeleted } from './sqlite-usage-store.ts';
import { summarize } from './summarize-captures.ts';

export function sqliteBinaryStore(
  database: SqliteDatabase,
  tables: SqliteTables,
  captures: SqliteCaptures<BinaryRecord, BinaryFilter>,
  results: SqliteResults,
  keep: KeepChanges,
): BinaryStore {
  const distinct = (
    filter: BinaryFilter,
    kind: { readonly from: string; readonly to: string },
    textsOf: (record: BinaryRecord) => readonly string[],
  ): Promise<readonly string[]> =>
    database.readSlowly(function* (reader) {
      const read = new SqliteCaptures(reader, binaryCaptures);
      const marks = yield* read.marksByIndex(filter, kind);
      if (marks !== null) return [...marks].map((text) => text.slice(1)).sort(byText);
      const texts = new Set<string>();
      for (const records of read.scan({ filter, order: 'ascending', after: null, limit: Infinity })) {
        for (const record of records) for (const text of textsOf(record)) texts.add(text);
        yield;
      }
      return [...texts].sort(byText);
    });

  return {
    async insert(records, receipt) {
      const places = await database.write(() => {
        runNow(keepReceipt(tables, receipt));
        for (const record of records) {
          runNow(requireDatasets(tables, record.organizationId, datasetIdsOf(record.tags)));
          captures.insert(record);
        }
        countAdded(database, 'files', records);
        keep(changesOfUploads(records));
        return results.forget(records);
      });
      results.added(places);
    },
    get: (organizationId, ids) => database.read(() => ids.map((id) => captures.find(organizationId, id))),
    page: (scan) => database.read(() => captures.page(scan)),
    summarize: (filter) => summarize(database, binaryCaptures, filter),
    edit: (organizationId, ids, edit, assignee) =>
      database.write(() => {
        const own = byImage(assignee ? assignments(database, organizationId, assignee, ids) : []);
        const edited = ids.map((id) => {
          const before = captures.find(organizationId, id);
          if (before === null) throw notFound('binary data', id);
          const after = edit(before, own(id));
          const known = new Set(datasetIdsOf(before.tags));
          const added = datasetIdsOf(after.tags).filter((dataset) => !known.has(dataset));
          runNow(requireDatasets(tables, organizationId, added));
          if (after !== before) {
            captures.replace(before, after);
            results.forget([before, after]);
          }
          return { before, after };
        });
        keep(changesOfFiles(edited));
        return edited;
      }),
    delete: (organizationId, ids) =>
      database.write(() => {
        const records = [...new Set(ids)]
          .map((id) => captures.find(organizationId, id))
          .filter((record) => record !== null);
        for (const record of records) captures.delete(record);
        results.forget(records);
        forgetLabels(database, records);
        for (const [id, deleted] of sumByOrganization(records)) countDeleted(database, 'files', id, deleted);
        keep(deletionsOfFiles(records));
        return records;
      }),
    distinctTags: (filter) => distinct(filter, tagMarks, ({ tags }) => tags),
    distinctBoxLabels: (filter) =>
      distinct(filter, labelMarks, ({ boundingBoxes }) => boundingBoxes.map(({ label }) => label)),
    unownedBlobs: (addresses) =>
      database.read(() =>
        addresses.filter((address) => !database.get('SELECT 1 FROM binary_captures WHERE blob_address = ?', address)),
      ),
  };
}
