import { ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import type { DatasetEntry } from '../../../datasets/dataset-item.ts';
import { isImagePath } from '../../../datasets/files/inner-path.ts';
import { streamOf, streamWrittenBy } from '../bytes/read-stream.ts';

/**
 * A zip of the entries, made while it is read: one entry at a time is open, and nothing is made ahead of the reader.
 * Above 4 GB it goes on as Zip64. Pictures are stored as they are, everything else is deflated.
 *
 * @param signal ends it; the stream then fails with the signal's reason
 */
export function zipEntries(entries: AsyncIterable<DatasetEntry>, signal?: AbortSignal): ReadableStream<Uint8Array> {
  return streamWrittenBy((sink) => writeZip(entries, sink, signal));
}

async function writeZip(
  entries: AsyncIterable<DatasetEntry>,
  sink: WritableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const zip = new ZipWriter(sink, { useWebWorkers: false, keepOrder: true });
  for await (const { path, content } of entries) {
    signal?.throwIfAborted();
    await zip.add(path, streamOf(content.read()), isImagePath(path) ? { level: 0 } : {});
  }
  signal?.throwIfAborted();
  await zip.close();
}

/** The whole zip as a Blob, which browsers keep on disk when it is large; for browsers that cannot write to a picked file. */
export function zipToBlob(entries: AsyncIterable<DatasetEntry>, signal?: AbortSignal): Promise<Blob> {
  return new Response(zipEntries(entries, signal), { headers: { 'Content-Type': 'application/zip' } }).blob();
}
