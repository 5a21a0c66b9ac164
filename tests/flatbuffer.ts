/** A field of a table. Its number is its index in the list; undefined omits the field. */
export type FlatField =
  | undefined
  | { readonly int8: number }
  | { readonly int32: number }
  | { readonly text: string }
  | { readonly bytes: Uint8Array | readonly number[] }
  | { readonly int32s: readonly number[] }
  | { readonly float32s: readonly number[] }
  | { readonly int64s: readonly number[] }
  | { readonly table: readonly FlatField[] }
  | { readonly tables: readonly (readonly FlatField[])[] };

/** Writes a flatbuffer with parents before their children, for tests that need control over every byte. */
export function writeFlatbuffer(root: readonly FlatField[], identifier: string): Uint8Array<ArrayBuffer> {
  const writer = new FlatWriter();
  writer.uint32(0);
  for (const character of identifier) writer.uint8(character.charCodeAt(0));
  writer.point(0, writer.table(root));
  return writer.finish();
}

class FlatWriter {
  readonly #bytes: number[] = [];

  get #at(): number {
    return this.#bytes.length;
  }

  uint8(value: number): void {
    this.#bytes.push(value & 0xff);
  }

  uint32(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.uint8(value >>> shift);
  }

  /** Writes at `from` an offset that leads to `to`. */
  point(from: number, to: number): void {
    for (let i = 0; i < 4; i++) this.#bytes[from + i] = ((to - from) >>> (8 * i)) & 0xff;
  }

  table(fields: readonly FlatField[]): number {
    this.#align(4);
    const vtable = this.#at;
    const byteLength = 4 + 2 * fields.length;
    this.#uint16(byteLength);
    this.#uint16(4 + 4 * fields.length);
    fields.forEach((field, i) => this.#uint16(field === undefined ? 0 : 4 + 4 * i));
    this.#align(4);
    const table = this.#at;
    this.uint32(table - vtable);
    for (const field of fields) this.uint32(field === undefined ? 0 : scalarOf(field));
    fields.forEach((field, i) => {
      const content = field === undefined ? null : this.#content(field);
      if (content !== null) this.point(table + 4 + 4 * i, content);
    });
    return table;
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#align(4);
    return Uint8Array.from(this.#bytes);
  }

  /** Writes the content of a field that is stored outside its table, and returns its position. null for a number, which is stored inside. */
  #content(field: Exclude<FlatField, undefined>): number | null {
    if ('table' in field) return this.table(field.table);
    if ('tables' in field) return this.#tables(field.tables);
    if ('text' in field) return this.#list(new TextEncoder().encode(field.text), 1, true);
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
    for (const byte of new Uint8Array(values.buffer, values.byteOffset, values.byteLength)) this.uint8(byte);
    if (ends) this.uint8(0);
    return start;
  }

  #tables(tables: readonly (readonly FlatField[])[]): number {
    this.#align(4);
    const start = this.#at;
    this.uint32(tables.length);
    for (let i = 0; i < tables.length; i++) this.uint32(0);
    tables.forEach((fields, i) => this.point(start + 4 + 4 * i, this.table(fields)));
    return start;
  }

  #uint16(value: number): void {
    this.uint8(value);
    this.uint8(value >>> 8);
  }

  #align(to: number): void {
    while (this.#at % to !== 0) this.uint8(0);
  }
}

function scalarOf(field: Exclude<FlatField, undefined>): number {
  if ('int8' in field) return field.int8 & 0xff;
  return 'int32' in field ? field.int32 : 0;
}
