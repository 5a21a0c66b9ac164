import { DatasetError } from '../item/dataset-error.ts';
import type { ZippedFile } from './zip-directory.ts';

const maxFiles = 500_000;
/** Highest allowed ratio of unpacked to packed size. Annotations reach 20 to 50, pictures 1; deflate can reach 1032. */
const maxExpansion = 200;
/** Up to this unpacked size any ratio is allowed: a small file of zeros is harmless. */
const harmlessBytes = 256 * 1024 * 1024;

/**
 * Refuses archives with far more files, or a far larger unpacked size, than any dataset. It checks while the files are
 * listed: before the list is in memory, and before anything is unpacked.
 */
export class ZipLimits {
  readonly #archiveBytes: number;
  #unpackedBytes = 0;

  constructor(archiveBytes: number) {
    this.#archiveBytes = archiveBytes;
  }

  /** @throws DatasetError 'zip-bomb' if there are more entries than allowed */
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
    // Also check the total: entries can share the same packed bytes, so that each alone looks harmless.
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
