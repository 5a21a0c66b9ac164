import { matchesBinary } from '../../src/data-service/ports/capture-filter.ts';
import { recordedFrames, type ResultStore } from '../../src/data-service/ports/result-store.ts';
import { quarterOf, sheetOf } from '../../src/platform/data-store/result-sheets.ts';
import { isRecorded } from '../../src/platform/data-store/sheets-due.ts';
import { scanCaptures } from './scan-captures.ts';
import type { Tables } from './tables.ts';

export function memoryResultStore(tables: Tables): ResultStore {
  return {
    async origins(organizationId) {
      return [...tables.binary.values()].filter(
        (record) => record.organizationId === organizationId && !record.internal && isRecorded(record),
      );
    },
    async *scan(filter, kind, signal) {
      const scan = { filter: recordedFrames(filter), order: 'ascending', after: null, limit: Infinity } as const;
      const frames = scanCaptures(tables.binary.values(), scan, (record) => matchesBinary(scan.filter, record));
      for (const quarter of new Set(frames.map(({ timeRequested }) => quarterOf(timeRequested)))) {
        signal.throwIfAborted();
        yield sheetOf(frames.filter(({ timeRequested }) => quarterOf(timeRequested) === quarter))[kind];
      }
      signal.throwIfAborted();
    },
  };
}
