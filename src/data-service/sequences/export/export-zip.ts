import type { DataStore } from '../../ports/data-store.ts';
import { sequencePosition, type Sequence, type SequenceFilter } from '../../ports/sequence-store.ts';
import { pagesOf } from '../../pages/pages-of.ts';
import { imagesOf, readingsOf } from '../sequence-captures.ts';
import { imageColumns, readingColumns, sequenceColumns } from './export-columns.ts';
import { parquetFile } from '../../../base/row-files/parquet-file.ts';
import { readStream } from '../../../base/streams/read-stream.ts';
import { zipOf } from '../../../base/streams/zip-files.ts';

type ExportedStores = Pick<DataStore, 'binary' | 'tabular' | 'sequences'>;

const pageSequences = 1000;

/**
 * The zip of a dataset of sequences. It has three Parquet files: a row for each image, for each reading, and for each sequence. It is
 * made while it is read, a row group at a time, so it has what is stored then.
 * @throws StoreError or the signal's reason, also after a part of the zip was given out
 */
export async function* exportZip(
  stores: ExportedStores,
  filter: SequenceFilter,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const sequences = await allOf(stores, filter);
  const images = capturesOf(sequences, (sequence) => imagesOf(stores.binary, sequence, signal), signal);
  const readings = capturesOf(sequences, (sequence) => readingsOf(stores, sequence), signal);
  // Parquet files are compressed already.
  const files = [
    { path: 'binary_data.parquet', content: parquetFile(imageColumns, images), isCompressed: true },
    { path: 'tabular_data.parquet', content: parquetFile(readingColumns, readings), isCompressed: true },
    { path: 'sequences.parquet', content: parquetFile(sequenceColumns, eachIn(sequences)), isCompressed: true },
  ];
  yield* readStream(zipOf(files));
}

async function* capturesOf<Capture>(
  sequences: readonly Sequence[],
  of: (sequence: Sequence) => AsyncIterable<Capture>,
  signal: AbortSignal,
): AsyncGenerator<{ readonly sequenceId: string; readonly capture: Capture }> {
  for (const sequence of sequences) {
    signal.throwIfAborted();
    for await (const capture of of(sequence)) {
      signal.throwIfAborted();
      yield { sequenceId: sequence.id, capture };
    }
  }
}

async function allOf({ sequences }: ExportedStores, filter: SequenceFilter): Promise<readonly Sequence[]> {
  const pages = pagesOf((after) => sequences.list(filter, after, pageSequences), pageSequences, sequencePosition);
  const all: Sequence[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

async function* eachIn<Entry>(entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries;
}
