import { DatasetError, type DatasetErrorCode, type ListedFile } from '../../../evidence/datasets/face/items.ts';
import { crc32 } from '../../../base/streams/crc32.ts';
import { readZipDirectory, ZipLimits, type ZippedFile } from '../../../evidence/datasets/face/files.ts';
import { readStream, streamWrittenBy } from '../../../base/streams/read-stream.ts';

const [stored, deflated] = [0, 8];
const localHeaderLength = 30;
/** Deflate makes 1032 times as much of what it is given at once, before anybody can stop it. */
const packedSliceBytes = 16 * 1024;

/**
 * The files of a zip, by its central directory: the Blob is read where files lie, when they are read, and never whole.
 * Zip64 and deflate are read; names that lead out of the archive are left to the import, which reports them.
 *
 * @throws DatasetError 'not-a-zip', 'unsupported-zip' for encrypted ones, 'zip-bomb'
 */
export async function listZip(blob: Blob): Promise<ListedFile[]> {
  const limits = new ZipLimits(blob.size);
  const read = async (from: number, to: number): Promise<Uint8Array> =>
    new Uint8Array(await blob.slice(from, to).arrayBuffer());
  const listed: ListedFile[] = [];
  for await (const files of readZipDirectory(blob.size, read, (entries) => limits.listed(entries))) {
    for (const file of files) {
      if (file.isEncrypted) throw unread(file, 'unsupported-zip', 'is encrypted');
      limits.add(file);
      listed.push({ path: file.path, sizeBytes: file.unpackedBytes, read: () => readFile(blob, file) });
    }
  }
  return listed;
}

const unread = ({ path }: ZippedFile, code: DatasetErrorCode, why: string): DatasetError =>
  new DatasetError(code, `${path} in the zip ${why}. Unpack it and import the folder.`);

async function* readFile(blob: Blob, file: ZippedFile): AsyncGenerator<Uint8Array> {
  if (file.method !== stored && file.method !== deflated)
    throw unread(file, 'unreadable-file', `is packed by method ${file.method}, which is not read here`);
  let sizeBytes = 0;
  let sum = 0;
  try {
    const packed = await packedBytesOf(blob, file);
    for await (const chunk of readStream(file.method === deflated ? inflate(packed) : packed.stream())) {
      sizeBytes += chunk.length;
      if (sizeBytes > file.unpackedBytes) throw new Error('it holds more than its directory says');
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (sizeBytes < file.unpackedBytes) throw new Error('it holds less than its directory says');
    if (sum !== file.crc32) throw new Error('its checksum is another');
  } catch (error) {
    throw new DatasetError(
      'unreadable-file',
      `${file.path} in the zip is damaged: ${(error as Error).message.replace(/\.$/, '')}.`,
      { cause: error },
    );
  }
}

/** Behind the local header, whose extra field may be longer than the directory's (APPNOTE 4.3.7). */
async function packedBytesOf(blob: Blob, { headerOffset, packedBytes }: ZippedFile): Promise<Blob> {
  const header = new DataView(await blob.slice(headerOffset, headerOffset + localHeaderLength).arrayBuffer());
  if (header.byteLength < localHeaderLength || header.getUint32(0, true) !== 0x04034b50)
    throw new Error('it does not lie where the directory says');
  const from = headerOffset + localHeaderLength + header.getUint16(26, true) + header.getUint16(28, true);
  return blob.slice(from, from + packedBytes);
}

function inflate(packed: Blob): ReadableStream<Uint8Array> {
  const slices = streamWrittenBy(async (sink) => {
    const writer = sink.getWriter();
    for (let at = 0; at < packed.size; at += packedSliceBytes)
      await writer.write(new Uint8Array(await packed.slice(at, at + packedSliceBytes).arrayBuffer()));
  });
  return (slices as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new DecompressionStream('deflate-raw'));
}
