const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
const endLength = 22;

/**
 * The bytes before a zip that is appended, as TFLite Metadata packs label files; all of them where there is none.
 * Its places are counted from the beginning of the whole file (APPNOTE.TXT 4.3), so it would not be found where bytes come before it.
 */
export function withoutZip(bytes: Uint8Array): Uint8Array {
  const at = bytes.length - endLength;
  if (at < 0) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(at, true) !== endOfDirectory) return bytes;
  const directory = view.getUint32(at + 16, true);
  if (directory + 46 > at || view.getUint32(directory, true) !== directoryEntry) return bytes;
  const first = view.getUint32(directory + 42, true);
  return first + 4 <= at && view.getUint32(first, true) === localHeader ? bytes.subarray(0, first) : bytes;
}
