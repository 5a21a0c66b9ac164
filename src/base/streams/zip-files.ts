import { ZipWriter } from '@zip.js/zip.js/lib/zip-core-writer.js';
import { streamOf, streamWrittenBy } from './read-stream.ts';

/** A file of a zip. */
export interface FileToZip {
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** Whether the bytes are compressed already: then they are stored as they are, everything else is deflated. */
  readonly isCompressed: boolean;
}

/** The library keeps some chunks in its queues, whatever their size: large ones are cut, so that this is little memory. */
const maxChunkBytes = 64 * 1024;

/**
 * A zip of the files, made while it is read: one file at a time is open, and a few megabytes are made ahead of the reader.
 * Beyond 4 GB, or 65,535 files, it goes on as Zip64.
 *
 * @param signal ends it; the stream then fails with the signal's reason
 */
export function zipOf(
  files: AsyncIterable<FileToZip> | Iterable<FileToZip>,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  return streamWrittenBy((sink) => writeZip(files, sink, signal));
}

async function writeZip(
  files: AsyncIterable<FileToZip> | Iterable<FileToZip>,
  sink: WritableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const zip = new ZipWriter(sink, { useWebWorkers: false, keepOrder: true });
  for await (const { path, content, isCompressed } of files) {
    signal?.throwIfAborted();
    await zip.add(path, streamOf(cut(content)), isCompressed ? { level: 0 } : {});
  }
  signal?.throwIfAborted();
  await zip.close();
}

async function* cut(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    for (let at = 0; at < bytes.length; at += maxChunkBytes) yield bytes.subarray(at, at + maxChunkBytes);
  }
}
