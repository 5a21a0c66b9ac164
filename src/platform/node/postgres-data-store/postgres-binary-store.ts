import {
  type BinaryFilter,
  type BinaryRecord,
  type BinaryStore,
  byText,
  changesOfFiles,
  changesOfUploads,
  datasetIdsOf,
  deletionsOfFiles,
  type EditedBinary,
} from '../../../data-service/face/captures.ts';
import { notFound } from '../../../data-service/face/stores.ts';
import { labelMarks, tagMarks } from '../../data-store/capture-marks.ts';
import { byImage } from '../../data-store/label-rules.ts';
import { keepReceipt } from '../../data-store/entities/receipt-store.ts';
import { runInTurn } from '../../data-store/steps.ts';
import { requireDatasets } from '../../data-store/entities/require-datasets.ts';
import { PostgresTables, type KeepChanges } from './postgres-tables.ts';
import type { BinaryCaptures } from './postgres-binary-captures.ts';
import type { PostgresDatabase, Statements } from './postgres-database.ts';
import { findFiles, replaceFiles, type FoundFiles } from './postgres-files.ts';
import { forgetLabels, assignments } from './postgres-label-tables.ts';
import type { PostgresResults } from './postgres-result-store.ts';
import { countAdded, countDeleted } from './postgres-usage-store.ts';

export function postgresBinaryStore(
  database: PostgresDatabase,
  captures: BinaryCaptures,
  results: PostgresResults,
  keep: KeepChanges,
): BinaryStore {
  const find = (
    statements: Statements,
    organizationId: string,
    ids: readonly string[],
    locked: '' | 'FOR UPDATE',
  ): Promise<FoundFiles> => findFiles(statements, captures, organizationId, ids, locked);
  const distinct = (
    filter: BinaryFilter,
    kind: { readonly from: string; readonly to: string },
    textsOf: (record: BinaryRecord) => readonly string[],
  ): Promise<readonly string[]> =>
    database.read(async (statements) => {
      const marks = await captures.marksByIndex(statements, filter, kind);
      if (marks !== null) return Array.from(marks, (mark) => mark.slice(1)).sort(byText);
      const texts = new Set<string>();
      const all = { filter, order: 'ascending', after: null, limit: Infinity } as const;
      for await (const records of captures.scan(statements, all)) {
        for (const { capture } of records) for (const text of textsOf(capture)) texts.add(text);
      }
      return [...texts].sort(byText);
    });

  return {
    async insert(records, receipt) {
      const places = await database.write(async (statements) => {
        const tables = new PostgresTables(statements);
        await runInTurn(keepReceipt(tables, receipt));
        for (const organizationId of new Set(records.map((record) => record.organizationId))) {
          const own = records.filter((record) => record.organizationId === organizationId);
          const ids = own.flatMap(({ tags }) => datasetIdsOf(tags));
          await runInTurn(requireDatasets(tables, organizationId, ids));
        }
        const stored = await captures.insert(statements, records);
        await countAdded(statements, 'files', records);
        await keep(statements, changesOfUploads(records));
        return results.forget(statements, stored);
      });
      results.added(places);
    },
    get: (organizationId, ids) =>
      database.read(async (statements) => {
        const found = await find(statements, organizationId, ids, '');
        return ids.map((id) => found.get(id)?.capture ?? null);
      }),
    page: (scan) =>
      database.read(async (statements) => (await captures.page(statements, scan)).map(({ capture }) => capture)),
    summarize: (filter) => database.read((statements) => captures.summarize(statements, filter)),
    edit: (organizationId, ids, edit, assignee) =>
      database.write(async (statements) => {
        const found = await find(statements, organizationId, ids, 'FOR UPDATE');
        // read once the images are locked, as they are by whoever changes a task
        const own = byImage(assignee ? await assignments(statements, organizationId, assignee, ids) : []);
        const edited = ids.map((id): EditedBinary => {
          const before = found.get(id)?.capture;
          if (before === undefined) throw notFound('binary data', id);
          return { before, after: edit(before, own(id)) };
        });
        const added = edited.flatMap(addedDatasets);
        await runInTurn(requireDatasets(new PostgresTables(statements), organizationId, added));
        await replaceFiles(statements, captures, results, found, edited);
        await keep(statements, changesOfFiles(edited));
        return edited;
      }),
    delete: (organizationId, ids) =>
      database.write(async (statements) => {
        const found = await find(statements, organizationId, ids, 'FOR UPDATE');
        const deleted = await captures.delete(statements, organizationId, [...found.values()]);
        await results.forget(statements, [...found.values()]);
        await countDeleted(statements, 'files', organizationId, deleted);
        const records = [...new Set(ids)].flatMap((id) => found.get(id)?.capture ?? []);
        await forgetLabels(statements, organizationId, records);
        await keep(statements, deletionsOfFiles(records));
        return records;
      }),
    distinctTags: (filter) => distinct(filter, tagMarks, ({ tags }) => tags),
    distinctBoxLabels: (filter) =>
      distinct(filter, labelMarks, ({ boundingBoxes }) => boundingBoxes.map(({ label }) => label)),
    async unownedBlobs(addresses) {
      const sql = 'SELECT blob_address FROM binary_captures WHERE blob_address = ANY($1::text[])';
      const owned = new Set((await database.rows(sql, addresses)).map((row) => row['blob_address']));
      return addresses.filter((address) => !owned.has(address));
    },
  };
}

function addedDatasets({ before, after }: EditedBinary): string[] {
  const known = new Set(datasetIdsOf(before.tags));
  return datasetIdsOf(after.tags).filter((dataset) => !known.has(dataset));
}
