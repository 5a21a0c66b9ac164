import { strToU8 } from 'fflate';
/** A table of a flatbuffer, field by field; one at a position of the bytes behind, see `writeFlatbuffer`. */
export type FlatNode = readonly FlatField[] | FlatBehind;

/** A reference to what stands at this position of the bytes behind. */
export interface FlatBehind {
  readonly behind: number;
}

/** A field of a table. Its number is its index in the list; undefined omits the field. */
export type FlatField =
  | undefined
  | FlatBehind
  | { readonly int8: number }
  | { readonly int32: number }
  | { readonly float32: number }
  | { readonly text: string }
  | { readonly bytes: Uint8Array | readonly number[] }
  | { readonly int32s: readonly number[] }
  | { readonly float32s: readonly number[] }
  | { readonly int64s: readonly number[] }
  | { readonly table: readonly FlatField[] }
  | { readonly tables: readonly FlatNode[] };

/** No data needs more. TensorFlow Lite aligns weights to 16 bytes, some converters to 64. */
const alignment = 64;

/**
 * Writes a flatbuffer with parents before their children (https://flatbuffers.dev/internals). Offsets lead forwards only, so another
 * flatbuffer can stand behind it as it is: `{ behind: position }` leads to what is in there, and nothing of it is moved or copied apart.
 */
export function writeFlatbuffer(
  root: readonly FlatField[],
  identifier: string,
  behind: Uint8Array = new Uint8Array(),
): Uint8Array<ArrayBuffer> {
  const writer = new FlatWriter();
  writer.uint32(0);
  for (const character of identifier) writer.uint8(character.charCodeAt(0));
  writer.point(0, writer.table(root));
  return writer.finish(behind);
}

class FlatWriter {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  /** places of offsets that lead into the bytes behind */
  readonly #leadingBehind: { readonly from: number; readonly position: number }[] = [];

  uint8(value: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  uint32(value: number): void {
    this.#room(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  /** Writes at `from` an offset that leads to `to`. */
  point(from: number, to: number): void {
    this.#view.setUint32(from, to - from, true);
  }

  table(fields: readonly FlatField[]): number {
    this.#align(4);
    const vtable = this.#at;
    this.#uint16(4 + 2 * fields.length);
    this.#uint16(4 + 4 * fields.length);
    fields.forEach((field, i) => this.#uint16(field === undefined ? 0 : 4 + 4 * i));
    this.#align(4);
    const table = this.#at;
    this.uint32(table - vtable);
    for (const field of fields) this.uint32(field === undefined ? 0 : scalarOf(field));
    fields.forEach((field, i) => {
      if (field !== undefined) this.#fill(table + 4 + 4 * i, field);
    });
    return table;
  }

  finish(behind: Uint8Array): Uint8Array<ArrayBuffer> {
    this.#align(behind.length > 0 ? alignment : 4);
    const start = this.#at;
    for (const { from, position } of this.#leadingBehind) this.point(from, start + position);
    const file = new Uint8Array(start + behind.length);
    file.set(this.#bytes.subarray(0, start));
    file.set(behind, start);
    return file;
  }

  /** Writes what a field leads to. A number stands in its table already. */
  #fill(from: number, field: Exclude<FlatField, undefined>): void {
    if ('behind' in field) {
      this.#leadingBehind.push({ from, position: field.behind });
      return;
    }
    const content = this.#content(field);
    if (content !== null) this.point(from, content);
  }

  /** Writes the content of a field that is stored outside its table, and returns its position. null for a number. */
  #content(field: Exclude<FlatField, undefined | FlatBehind>): number | null {
    if ('table' in field) return this.table(field.table);
    if ('tables' in field) return this.#tables(field.tables);
    if ('text' in field) return this.#list(strToU8(field.text), 1, true);
    if ('bytes' in field) return this.#list(Uint8Array.from(field.bytes), 1);
    if ('int32s' in field) return this.#list(Int32Array.from(field.int32s), 4);
    if ('float32s' in field) return this.#list(Float32Array.from(field.float32s), 4);
    if ('int64s' in field) return this.#list(BigInt64Array.from(field.int64s.map(BigInt)), 8);
    return null;
  }

  /** Writes a list. Its elements are aligned to 16 bytes, as TensorFlow Lite requires for weights. */
  #list(values: ArrayBufferView & { readonly length: number }, width: number, ends = false): number {
    while ((this.#at + 4) % (width === 1 && ends ? 4 : 16) !== 0) this.uint8(0);
    const start = this.#at;
    this.uint32(values.length);
    this.#room(values.byteLength);
    this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), this.#at);
    this.#at += values.byteLength;
    if (ends) this.uint8(0);
    return start;
  }

  #tables(tables: readonly FlatNode[]): number {
    this.#align(4);
    const start = this.#at;
    this.uint32(tables.length);
    for (let i = 0; i < tables.length; i++) this.uint32(0);
    tables.forEach((node, i) => this.#fill(start + 4 + 4 * i, 'behind' in node ? node : { table: node }));
    return start;
  }

  #uint16(value: number): void {
    this.uint8(value);
    this.uint8(value >>> 8);
  }

  #align(to: number): void {
    while (this.#at % to !== 0) this.uint8(0);
  }

  #room(byteLength: number): void {
    if (this.#at + byteLength <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#at + byteLength));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

const float = new DataView(new ArrayBuffer(4));

function scalarOf(field: Exclude<FlatField, undefined>): number {
  if ('int8' in field) return field.int8 & 0xff;
  if ('float32' in field) {
    float.setFloat32(0, field.float32);
    return float.getUint32(0);
  }
  return 'int32' in field ? field.int32 : 0;
}
