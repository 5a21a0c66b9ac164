import type { BinaryRecord } from '../../src/data-service/ports/stored-captures.ts';
import { datasetIdsOf, matchesBinary, type BinaryFilter } from '../../src/data-service/ports/capture-filter.ts';
import type { BinaryStore } from '../../src/data-service/ports/binary-store.ts';
import {
  changesOfFiles,
  changesOfUploads,
  deletionsOfFiles,
} from '../../src/data-service/ports/describe-capture-changes.ts';
import { forgetLabels, assignments } from './memory-label-store.ts';
import { scanCaptures } from './scan-captures.ts';
import { keepReceipt } from '../../src/platform/data-store/entities/receipt-store.ts';
import { requireDatasets } from '../../src/platform/data-store/entities/require-datasets.ts';
import { runNow } from '../../src/platform/data-store/steps.ts';
import { requireQuotas, type KeepChanges, type Tables } from './tables.ts';
import { byText } from '../../src/data-service/ports/name-order.ts';
import { notFound } from '../../src/data-service/ports/store-refusals.ts';

export function memoryBinaryStore(tables: Tables, keep: KeepChanges): BinaryStore {
  const matches = (filter: BinaryFilter): BinaryRecord[] =>
    [...tables.binary.values()].filter((record) => matchesBinary(filter, record));
  const own = (organizationId: string, id: string): BinaryRecord | null => {
    const record = tables.binary.get(id);
    return record?.organizationId === organizationId ? record : null;
  };
  const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort(byText);

  return {
    async insert(records, receipt) {
      tables.rows.write(function* (rows) {
        yield* keepReceipt(rows, receipt);
        for (const { organizationId, tags } of records)
          yield* requireDatasets(rows, organizationId, datasetIdsOf(tags));
        requireQuotas(tables, records);
        for (const record of records) tables.binary.set(record.id, record);
        keep(changesOfUploads(records));
      });
    },
    async get(organizationId, ids) {
      return ids.map((id) => own(organizationId, id));
    },
    async page(scan) {
      return scanCaptures(tables.binary.values(), scan, (record) => matchesBinary(scan.filter, record));
    },
    async summarize(filter) {
      const records = matches(filter);
      return { count: records.length, totalSizeBytes: records.reduce((total, { sizeBytes }) => total + sizeBytes, 0) };
    },
    async edit(organizationId, ids, edit, assignee) {
      const edited = ids.map((id) => {
        const before = own(organizationId, id);
        if (before === null) throw notFound('binary data', id);
        const tasks = assignee === undefined ? [] : assignments(tables, organizationId, assignee, [id]);
        return { before, after: edit(before, tasks) };
      });
      for (const { before, after } of edited) {
        const known = new Set(datasetIdsOf(before.tags));
        const added = datasetIdsOf(after.tags).filter((id) => !known.has(id));
        runNow(requireDatasets(tables.rows, organizationId, added));
      }
      for (const { after } of edited) tables.binary.set(after.id, after);
      keep(changesOfFiles(edited));
      return edited;
    },
    async delete(organizationId, ids) {
      const records = [...new Set(ids)]
        .map((id) => own(organizationId, id))
        .filter((record): record is BinaryRecord => record !== null);
      for (const { id } of records) tables.binary.delete(id);
      forgetLabels(tables, records);
      keep(deletionsOfFiles(records));
      return records;
    },
    async distinctTags(filter) {
      return distinct(matches(filter).flatMap(({ tags }) => tags));
    },
    async distinctBoxLabels(filter) {
      return distinct(matches(filter).flatMap(({ boundingBoxes }) => boundingBoxes.map(({ label }) => label)));
    },
    async unownedBlobs(addresses) {
      const owned = new Set([...tables.binary.values()].map(({ blobAddress }) => blobAddress));
      return addresses.filter((address) => !owned.has(address));
    },
  };
}
