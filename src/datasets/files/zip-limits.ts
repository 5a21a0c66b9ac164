import { DatasetError } from '../dataset-error.ts';
import type { ZippedFile } from './zip-directory.ts';

const maxFiles = 500_000;
/** Annotations shrink 20 to 50 times, pictures not at all; deflate can do 1032 times. */
const maxExpansion = 200;
/** Small archives may expand more: a file of zeros hurts nobody. */
const harmlessBytes = 256 * 1024 * 1024;

/**
 * Refuses archives of more files, or that unpack to far more, than any dataset, while their files are listed: before the
 * list is kept, and before anything is unpacked.
 */
export class ZipLimits {
  readonly #archiveBytes: number;
  #unpackedBytes = 0;

  constructor(archiveBytes: number) {
    this.#archiveBytes = archiveBytes;
  }

  /** @throws DatasetError 'zip-bomb' for more entries than are read */
  listed(entries: number): void {
    if (entries > maxFiles)
      throw new DatasetError(
        'zip-bomb',
        `The zip has more than ${maxFiles} files, which is the most that is read. Split it.`,
      );
  }

  /** @throws DatasetError 'zip-bomb' with the numbers */
  add({ path, packedBytes, unpackedBytes }: Pick<ZippedFile, 'path' | 'packedBytes' | 'unpackedBytes'>): void {
    this.#unpackedBytes += unpackedBytes;
    refuseIf(unpackedBytes, packedBytes, `${path} in the zip`);
    // Files may share packed bytes, so that each is harmless alone.
    refuseIf(this.#unpackedBytes, this.#archiveBytes, 'The zip');
  }
}

function refuseIf(unpackedBytes: number, packedBytes: number, what: string): void {
  if (unpackedBytes <= harmlessBytes || unpackedBytes <= maxExpansion * packedBytes) return;
  throw new DatasetError(
    'zip-bomb',
    `${what} would unpack from ${megabytes(packedBytes)} to ${megabytes(unpackedBytes)}, which no dataset does. Unpack it yourself and import the folder if you trust it.`,
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
