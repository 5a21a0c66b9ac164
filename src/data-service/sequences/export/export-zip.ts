import type { DataStore } from '../../ports/data-store.ts';
import { positionOf, type Position } from '../../ports/capture-filter.ts';
import { sequencePosition, type Sequence, type SequenceFilter } from '../../ports/sequence-store.ts';
import { imagePage, readingPage } from '../sequence-captures.ts';
import { imageColumns, readingColumns, sequenceColumns } from './export-columns.ts';
import { parquetFile } from './parquet-file.ts';
import { storedZip } from './stored-zip.ts';

type ExportedStores = Pick<DataStore, 'binary' | 'tabular' | 'sequences'>;

const pageRows = 1000;

/**
 * The zip of a dataset of sequences: its images' rows, its readings and its sequences, a Parquet file each. It is made while it is
 * read, a row group at a time, of what is stored at that moment.
 * @throws StoreError, which breaks it off
 */
export async function* exportZip(stores: ExportedStores, filter: SequenceFilter): AsyncGenerator<Uint8Array, void> {
  const sequences: Sequence[] = [];
  const listed = eachOf((after, limit) => stores.sequences.list(filter, after, limit), sequencePosition);
  for await (const sequence of listed) sequences.push(sequence);
  yield* storedZip([
    { name: 'binary_data.parquet', content: parquetFile(imageColumns, capturesOf(sequences, imagesOf(stores))) },
    { name: 'tabular_data.parquet', content: parquetFile(readingColumns, capturesOf(sequences, readingsOf(stores))) },
    { name: 'sequences.parquet', content: parquetFile(sequenceColumns, eachIn(sequences)) },
  ]);
}

const imagesOf = (stores: ExportedStores) => (sequence: Sequence) =>
  eachOf((after, limit) => imagePage(stores.binary, sequence, after, limit), positionOf);
const readingsOf = (stores: ExportedStores) => (sequence: Sequence) =>
  eachOf((after, limit) => readingPage(stores.tabular, sequence, after, limit), positionOf);

async function* capturesOf<Capture>(
  sequences: readonly Sequence[],
  of: (sequence: Sequence) => AsyncIterable<Capture>,
): AsyncGenerator<{ readonly sequenceId: string; readonly capture: Capture }> {
  for (const sequence of sequences) {
    for await (const capture of of(sequence)) yield { sequenceId: sequence.id, capture };
  }
}

/** All entries of a list that is read page by page. */
async function* eachOf<Entry>(
  page: (after: Position | null, limit: number) => Promise<readonly Entry[]>,
  placeOf: (entry: Entry) => Position,
): AsyncGenerator<Entry> {
  for (let after: Position | null = null; ;) {
    const entries: readonly Entry[] = await page(after, pageRows);
    yield* entries;
    if (entries.length < pageRows) return;
    after = placeOf(entries.at(-1)!);
  }
}

async function* eachIn<Entry>(entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries;
}
