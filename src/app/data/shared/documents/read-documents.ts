import { deserialize } from 'bson';
import { ColumnCollector, type DocumentColumn, type ResultRow } from './document-columns.ts';
import { waitFor } from '../../../../base/schedule/wait-for.ts';

export interface ReadDocuments {
  readonly rows: readonly ResultRow[];
  readonly columns: readonly DocumentColumn[];
}

/** The longest time that the page may be blocked. */
const sliceMs = 12;

/**
 * Reads the BSON documents of an answer in short slices, between which the page can respond. Rejects once `signal`
 * aborts.
 */
export async function readDocuments(rawData: readonly Uint8Array[], signal?: AbortSignal): Promise<ReadDocuments> {
  const rows: ResultRow[] = [];
  const collector = new ColumnCollector();
  let sliceStart = performance.now();
  for (const document of rawData) {
    const row = deserialize(document) as ResultRow;
    rows.push(row);
    collector.add(row);
    if (performance.now() - sliceStart < sliceMs) continue;
    await waitFor(0);
    signal?.throwIfAborted();
    sliceStart = performance.now();
  }
  return { rows, columns: collector.columns };
}
