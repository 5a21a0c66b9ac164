import { BlobReader, ZipReader, ZipWriter, type FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js';
import { DatasetError } from '../../datasets/dataset-error.ts';
import type { DatasetEntry, ListedFile } from '../../datasets/dataset-item.ts';
import { isImagePath } from '../../datasets/files/inner-path.ts';
import { checkZipLimits } from '../../datasets/files/zip-limits.ts';
import { readStream, streamOf, streamWrittenBy } from './read-stream.ts';

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

/**
 * The files of a zip, by its central directory: the Blob is read where files lie, when they are read, and never whole.
 * Zip64 and deflate are read; names that lead out of the archive are left to the import, which reports them.
 *
 * @throws DatasetError 'not-a-zip', 'unsupported-zip' for encrypted ones, 'zip-bomb'
 */
export async function listZip(blob: Blob): Promise<ListedFile[]> {
  const reader = new ZipReader(new BlobReader(blob), { useWebWorkers: false, filenameValidation: 'tolerant' });
  const files = await reader
    .getEntries()
    .then((entries) => entries.filter((entry): entry is FileEntry => !entry.directory && !entry.symlink))
    .catch((error: unknown) => {
      throw new DatasetError('not-a-zip', `The file cannot be read as a zip: ${(error as Error).message}.`, {
        cause: error,
      });
    });
  const encrypted = files.find((entry) => entry.encrypted);
  if (encrypted) {
    throw new DatasetError(
      'unsupported-zip',
      `${encrypted.filename} in the zip is encrypted. Unpack it and import the folder.`,
    );
  }
  checkZipLimits(
    files.map(({ filename, compressedSize, uncompressedSize }) => ({
      path: filename,
      packedBytes: compressedSize,
      unpackedBytes: uncompressedSize,
    })),
    blob.size,
  );
  return files.map((entry) => ({
    path: entry.filename,
    sizeBytes: entry.uncompressedSize,
    read: () => readEntry(entry),
  }));
}

async function* readEntry(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const unpacked = streamWrittenBy((sink) => entry.getData(sink, { useWebWorkers: false, checkSignature: true }));
  let sizeBytes = 0;
  try {
    for await (const chunk of readStream(unpacked)) {
      sizeBytes += chunk.length;
      if (sizeBytes > entry.uncompressedSize) throw new Error('it holds more than its directory says');
      yield chunk;
    }
  } catch (error) {
    throw new DatasetError(
      'unreadable-file',
      `${entry.filename} in the zip is damaged: ${(error as Error).message.replace(/\.$/, '')}.`,
      { cause: error },
    );
  }
}
