import { DatasetError } from '../dataset-error.ts';

/** What an archive's directory says about a file in it. */
export interface ZippedSizes {
  readonly path: string;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
}

const maxFiles = 500_000;
/** Annotations shrink 20 to 50 times, pictures not at all; deflate can do 1032 times. */
const maxExpansion = 200;
/** Small archives may expand more: a file of zeros hurts nobody. */
const harmlessBytes = 256 * 1024 * 1024;

/**
 * Refuses archives that unpack to far more than any dataset does, before anything is unpacked.
 *
 * @throws DatasetError 'zip-bomb' with the numbers
 */
export function checkZipLimits(files: readonly ZippedSizes[], archiveBytes: number): void {
  if (files.length > maxFiles) {
    throw new DatasetError('zip-bomb', `The zip has ${files.length} files; up to ${maxFiles} are read. Split it.`);
  }
  let total = 0;
  for (const { path, packedBytes, unpackedBytes } of files) {
    total += unpackedBytes;
    refuseIf(unpackedBytes, packedBytes, `${path} in the zip`);
  }
  // Files may share packed bytes, so that each is harmless alone.
  refuseIf(total, archiveBytes, 'The zip');
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
