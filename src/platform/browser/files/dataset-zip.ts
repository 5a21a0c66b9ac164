import { type DatasetEntry, isImagePath } from '../../../evidence/datasets/face/items.ts';
import { zipOf, type FileToZip } from '../../../base/streams/zip-files.ts';

/** A zip of the entries, made while it is read. Pictures are stored as they are, everything else is deflated. */
export const zipEntries = (entries: AsyncIterable<DatasetEntry>, signal?: AbortSignal): ReadableStream<Uint8Array> =>
  zipOf(filesOf(entries), signal);

async function* filesOf(entries: AsyncIterable<DatasetEntry>): AsyncGenerator<FileToZip> {
  for await (const { path, content } of entries) {
    yield { path, content: content.read(), isCompressed: isImagePath(path) };
  }
}

/** The whole zip as a Blob, which browsers keep on disk when it is large; for browsers that cannot write to a picked file. */
export function zipToBlob(entries: AsyncIterable<DatasetEntry>, signal?: AbortSignal): Promise<Blob> {
  return new Response(zipEntries(entries, signal), { headers: { 'Content-Type': 'application/zip' } }).blob();
}
