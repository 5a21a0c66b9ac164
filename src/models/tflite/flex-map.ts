const int = 1;
const uint = 2;
const map = 9;
/** A million keys may point at one text. */
const longestKey = 64;

/**
 * Whole numbers of a FlexBuffers map (https://flatbuffers.dev/flexbuffers), in which custom operators keep their
 * options. What is no such map, or damaged, has none.
 */
export function readFlexInts(bytes: Uint8Array): ReadonlyMap<string, number> {
  const ints = new Map<string, number>();
  try {
    readInto(ints, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // DataView refuses every offset outside of the bytes
  }
  return ints;
}

function readInto(ints: Map<string, number>, view: DataView): void {
  const end = view.byteLength;
  const rootWidth = view.getUint8(end - 1);
  const rootType = view.getUint8(end - 2);
  if (rootType >> 2 !== map) return;
  const width = 1 << (rootType & 3);
  const root = end - 2 - rootWidth;
  const values = root - unsigned(view, root, rootWidth);
  const count = unsigned(view, values - width, width);
  const keysWidth = unsigned(view, values - 2 * width, width);
  const keysOffset = values - 3 * width;
  const keys = keysOffset - unsigned(view, keysOffset, width);
  for (let i = 0; i < count; i++) {
    const type = view.getUint8(values + count * width + i) >> 2;
    if (type !== int && type !== uint) continue;
    const key = keys + i * keysWidth;
    ints.set(text(view, key - unsigned(view, key, keysWidth)), unsigned(view, values + i * width, width));
  }
}

/** Options are counts, so the sign bit is never set. */
function unsigned(view: DataView, at: number, width: number): number {
  if (width === 1) return view.getUint8(at);
  if (width === 2) return view.getUint16(at, true);
  return width === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

function text(view: DataView, at: number): string {
  let characters = '';
  for (let i = at; view.getUint8(i) !== 0 && characters.length < longestKey; i++)
    characters += String.fromCharCode(view.getUint8(i));
  return characters;
}
