import { Zip, ZipPassThrough } from 'fflate';

interface ZippedFile {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The limit of the format without Zip64, its 64-bit extension, which the library does not write; 1 MiB is left for its headers. */
const maxZipBytes = 2 ** 32 - 2 ** 20;

/**
 * A zip of files that are compressed already, made while it is read.
 * @throws Error where it would be larger than 4 GB
 */
export async function* storedZip(
  files: readonly ZippedFile[],
  maxBytes = maxZipBytes,
): AsyncGenerator<Uint8Array, void> {
  let written: Uint8Array[] = [];
  let total = 0;
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    written.push(bytes);
    total += bytes.length;
  });
  const taken = (): readonly Uint8Array[] => {
    if (total > maxBytes) throw new Error(`The export is larger than the ${maxBytes} bytes that a zip holds.`);
    const chunks = written;
    written = [];
    return chunks;
  };
  for (const { name, content } of files) {
    const entry = new ZipPassThrough(name);
    zip.add(entry);
    for await (const bytes of content) {
      entry.push(bytes);
      yield* taken();
    }
    entry.push(new Uint8Array(), true);
  }
  zip.end();
  yield* taken();
}
