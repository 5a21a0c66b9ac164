import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** A file that a database names. */
export interface StoredFile {
  readonly id: string;
  readonly organizationId: string;
  readonly blobAddress: string;
}

/** A copy of a database that nobody writes to, which is left as it is to the byte. */
export function openCopy(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1'); // https://sqlite.org/uri.html#uriimmutable
  return new DatabaseSync(url, { readOnly: true });
}

/** The files that a copy of a database names, of all organizations. */
export function* filesIn(path: string): Generator<StoredFile> {
  const copy = openCopy(path);
  try {
    const sql = 'SELECT id, organization_id AS organizationId, blob_address AS blobAddress FROM binary_captures';
    for (const row of copy.prepare(sql).iterate()) yield row as unknown as StoredFile;
  } finally {
    copy.close();
  }
}

/** The SHA-256 of the bytes that were stored, hex: an address begins with it. */
export const sha256OfAddress = (address: string): string => address.slice(0, 64);
