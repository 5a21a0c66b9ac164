import { randomUUID } from 'node:crypto';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const unfinished = 'unfinished';

/** What an address names: a whole blob, or an upload in parts that was begun. */
export type Addressed =
  | { readonly kind: 'whole'; readonly key: string }
  | { readonly kind: 'unfinished'; readonly key: string; readonly uploadId: string };

/**
 * The keys of blobs: `<prefix>blobs/<uuid>`. A key is chosen before the first byte is sent, when the hash of the bytes
 * is not known yet, and S3 renames nothing: so addresses here do not begin with the hash.
 */
export class S3Keys {
  readonly folder: string;

  constructor(prefix: string) {
    this.folder = `${prefix}blobs/`;
  }

  newAddress(): string {
    return randomUUID();
  }

  keyOf(address: string): string {
    return this.folder + address;
  }

  /** null: no blob has such an address */
  read(address: string): Addressed | null {
    if (uuid.test(address)) return { kind: 'whole', key: this.keyOf(address) };
    const [word, blob = '', uploadId = ''] = address.split(':', 3);
    if (word !== unfinished || !uuid.test(blob) || uploadId === '') return null;
    return { kind: 'unfinished', key: this.keyOf(blob), uploadId: decodeURIComponent(uploadId) };
  }

  /** The address of an object; null: it is none of the blobs. */
  addressOf(key: string): string | null {
    const address = key.startsWith(this.folder) ? key.slice(this.folder.length) : '';
    return uuid.test(address) ? address : null;
  }

  /** The address of an upload that was begun: deleting it takes its parts, and never a whole blob. */
  unfinishedAddressOf(key: string, uploadId: string): string | null {
    const address = this.addressOf(key);
    return address === null ? null : `${unfinished}:${address}:${encodeURIComponent(uploadId)}`;
  }
}
