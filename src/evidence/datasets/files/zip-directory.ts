import { strFromU8 } from 'fflate';
import { DatasetError } from '../item/dataset-error.ts';
import { isUtf8 } from './decode-text.ts';

// See PKWARE APPNOTE 6.3.10, sections 4.3.12 (directory entry), 4.3.14 to 4.3.16 (end records), 4.5.3 (Zip64 sizes).

/** A file of an archive, as its directory describes it. */
export interface ZippedFile {
  readonly path: string;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** compression method: 0 stored, 8 deflated */
  readonly method: number;
  readonly crc32: number;
  readonly isEncrypted: boolean;
  /** offset of its local header */
  readonly headerOffset: number;
}

/** Reads the archive's bytes from an offset up to another, exclusive. */
type ReadBytes = (from: number, to: number) => Promise<Uint8Array>;

const endLength = 22;
const maxCommentLength = 0xffff;
const sliceBytes = 1024 * 1024;
const entryLength = 46;

/**
 * Yields the files that an archive's central directory lists. The directory is read in slices and not kept in memory.
 * Folders and links are left out. `onListed` receives the number of entries so far, including those, and may throw.
 *
 * @param sizeBytes of the whole archive
 * @throws DatasetError 'not-a-zip'
 */
export async function* readZipDirectory(
  sizeBytes: number,
  read: ReadBytes,
  onListed: (entries: number) => void,
): AsyncGenerator<readonly ZippedFile[]> {
  const { from, to, shift } = await findDirectory(sizeBytes, read);
  let rest = new Uint8Array();
  let listed = 0;
  for (let at = from; at < to; at += sliceBytes) {
    const slice = await read(at, Math.min(to, at + sliceBytes));
    const bytes = new Uint8Array(rest.length + slice.length);
    bytes.set(rest);
    bytes.set(slice, rest.length);
    const view = new DataView(bytes.buffer);
    const files: ZippedFile[] = [];
    let offset = 0;
    for (let length = lengthOfEntry(view, offset); length !== null; length = lengthOfEntry(view, offset)) {
      const file = readEntry(bytes.subarray(offset, offset + length), shift);
      if (file) files.push(file);
      offset += length;
      listed++;
    }
    rest = bytes.subarray(offset);
    onListed(listed);
    yield files;
  }
  // The last entry may be followed by a digital signature of the directory.
  if (rest.length >= 4 && viewOf(rest).getUint32(0, true) !== 0x05054b50) throw notAZip('its list of files is cut off');
}

/** Locates the central directory. `shift` must be added to all offsets: other bytes may precede the archive in its file. */
async function findDirectory(sizeBytes: number, read: ReadBytes): Promise<{ from: number; to: number; shift: number }> {
  const tailFrom = Math.max(0, sizeBytes - endLength - maxCommentLength);
  const tail = viewOf(await read(tailFrom, sizeBytes));
  let at = tail.byteLength - endLength;
  while (
    at >= 0 &&
    !(tail.getUint32(at, true) === 0x06054b50 && at + endLength + tail.getUint16(at + 20, true) <= tail.byteLength)
  )
    at--;
  if (at < 0) throw notAZip('the end of its list of files is missing');
  if (tail.getUint16(at + 4, true) !== tail.getUint16(at + 6, true)) throw notAZip('it is a part of several');
  const end = tailFrom + at;
  const { size, offset, endsAt } = (await zip64End(end, read)) ?? {
    size: tail.getUint32(at + 12, true),
    offset: tail.getUint32(at + 16, true),
    endsAt: end,
  };
  const from = endsAt - size;
  if (from < 0 || offset > from) throw notAZip('its list of files lies outside of it');
  return { from, to: endsAt, shift: from - offset };
}

async function zip64End(
  end: number,
  read: ReadBytes,
): Promise<{ size: number; offset: number; endsAt: number } | null> {
  if (end < 20) return null;
  const locator = viewOf(await read(end - 20, end));
  if (locator.getUint32(0, true) !== 0x07064b50) return null;
  // The locator's offset is wrong if other bytes precede the archive: also try the place just before the locator.
  for (const at of [Number(locator.getBigUint64(8, true)), end - 20 - 56]) {
    if (at < 0 || at + 56 > end) continue;
    const record = viewOf(await read(at, at + 56));
    if (record.getUint32(0, true) !== 0x06064b50) continue;
    return { size: Number(record.getBigUint64(40, true)), offset: Number(record.getBigUint64(48, true)), endsAt: at };
  }
  throw notAZip('the end of its list of files is damaged');
}

/** Length of the entry at an offset; null if it continues after these bytes, or is not an entry. */
function lengthOfEntry(view: DataView, offset: number): number | null {
  if (offset + entryLength > view.byteLength) return null;
  const signature = view.getUint32(offset, true);
  if (signature === 0x05054b50) return null;
  if (signature !== 0x02014b50) throw notAZip('its list of files is damaged');
  const [name, extra, comment] = [28, 30, 32].map((at) => view.getUint16(offset + at, true)) as [
    number,
    number,
    number,
  ];
  const length = entryLength + name + extra + comment;
  return offset + length > view.byteLength ? null : length;
}

const isSymlink = (unixMode: number): boolean => (unixMode & 0xf000) === 0xa000;

/** Reads an entry; null for a folder or a link. */
function readEntry(entry: Uint8Array, shift: number): ZippedFile | null {
  const view = viewOf(entry);
  const flags = view.getUint16(8, true);
  const nameLength = view.getUint16(28, true);
  const name = entry.subarray(entryLength, entryLength + nameLength);
  const path = (flags & 0x800) !== 0 || isUtf8(name) ? strFromU8(name) : decodeCodePage437(name);
  const attributes = view.getUint32(38, true);
  const isDosFolder = entry[5] === 0 && (attributes & 0x10) !== 0;
  if (path.endsWith('/') || isDosFolder || isSymlink(attributes >>> 16)) return null;
  const extra = viewOf(entry.subarray(entryLength + nameLength, entryLength + nameLength + view.getUint16(30, true)));
  const [unpackedBytes, packedBytes, headerOffset] = withZip64(
    [24, 20, 42].map((at) => view.getUint32(at, true)),
    extra,
  ) as [number, number, number];
  const isEncrypted = (flags & 1) !== 0;
  const method = view.getUint16(10, true);
  return {
    path,
    packedBytes,
    unpackedBytes,
    method,
    crc32: view.getUint32(16, true),
    isEncrypted,
    headerOffset: headerOffset + shift,
  };
}

/** Replaces the numbers that do not fit into 32 bits by those of the Zip64 extra field, which has them in this order. */
function withZip64(numbers: readonly number[], extra: DataView): number[] {
  if (!numbers.includes(0xffffffff)) return [...numbers];
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    return numbers.map((number) => {
      if (number !== 0xffffffff || next + 8 > extra.byteLength) return number;
      next += 8;
      return Number(extra.getBigUint64(next - 8, true));
    });
  }
  return [...numbers];
}

/** The upper half of code page 437, the encoding of names without the UTF-8 flag (APPNOTE D.1). The lower half is ASCII. */
const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const decodeCodePage437 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : codePage437[byte - 0x80]!)).join('');

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const notAZip = (why: string): DatasetError =>
  new DatasetError('not-a-zip', `The file cannot be read as a zip: ${why}.`);
