import { strFromU8 } from 'fflate';

/** The bytes are not a valid flatbuffer: an offset leads outside, or a length is too large. */
export class FlatbufferError extends Error {
  override readonly name = 'FlatbufferError';
}

interface FlatFile {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** A small file may point a million times at the same long list: what is read of it has an end. */
  bytesLeftToRead: number;
}

/**
 * A table of a flatbuffer (https://flatbuffers.dev/internals). Fields go by their number in the schema; one that the
 * file leaves out has its default. Nothing outside of the bytes is ever read. @throws FlatbufferError
 */
export class FlatTable {
  readonly #file: FlatFile;
  readonly #at: number;
  readonly #vtable: number;
  readonly #vtableEnd: number;

  private constructor(file: FlatFile, at: number) {
    this.#file = file;
    this.#at = at;
    this.#vtable = at - within(file, at, 4).getInt32(at, true);
    this.#vtableEnd = this.#vtable + within(file, this.#vtable, 4).getUint16(this.#vtable, true);
    within(file, this.#vtable, this.#vtableEnd - this.#vtable);
  }

  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const file = { bytes, view, bytesLeftToRead: 2 * bytes.length };
    return new FlatTable(file, within(file, 0, 4).getUint32(0, true));
  }

  /** Where it stands in the bytes. For whoever points to it from other bytes. */
  get position(): number {
    return this.#at;
  }

  int8(field: number, otherwise = 0): number {
    const at = this.#positionOf(field, 1);
    return at === 0 ? otherwise : this.#file.view.getInt8(at);
  }

  int32(field: number, otherwise = 0): number {
    const at = this.#positionOf(field, 4);
    return at === 0 ? otherwise : this.#file.view.getInt32(at, true);
  }

  uint32(field: number, otherwise = 0): number {
    const at = this.#positionOf(field, 4);
    return at === 0 ? otherwise : this.#file.view.getUint32(at, true);
  }

  /** Beyond 2^53 the last digits are lost. */
  uint64(field: number): number {
    const at = this.#positionOf(field, 8);
    return at === 0 ? 0 : Number(this.#file.view.getBigUint64(at, true));
  }

  boolean(field: number): boolean {
    return this.int8(field) !== 0;
  }

  string(field: number): string {
    return strFromU8(this.bytes(field));
  }

  table(field: number): FlatTable | null {
    const at = this.#positionOf(field, 4);
    return at === 0 ? null : new FlatTable(this.#file, this.#follow(at));
  }

  /** A list of bytes, as a view of the file; empty where there is none. */
  bytes(field: number): Uint8Array {
    const { start, count } = this.#vector(field, 1);
    return this.#file.bytes.subarray(start, start + count);
  }

  int32s(field: number): number[] {
    return this.#numbers(field, 4, (at) => this.#file.view.getInt32(at, true));
  }

  float32s(field: number): number[] {
    return this.#numbers(field, 4, (at) => this.#file.view.getFloat32(at, true));
  }

  int64s(field: number): number[] {
    return this.#numbers(field, 8, (at) => Number(this.#file.view.getBigInt64(at, true)));
  }

  tables(field: number): FlatTable[] {
    return this.#numbers(field, 4, (at) => at).map((at) => new FlatTable(this.#file, this.#follow(at)));
  }

  /** Where a list of the file begins, at its count; 0 = it is left out. For whoever patches a copy. */
  listAt(field: number): number {
    const at = this.#positionOf(field, 4);
    return at === 0 ? 0 : this.#follow(at);
  }

  /** Where the offset of a list, a text or a table stands; 0 = it is left out. */
  offsetAt(field: number): number {
    return this.#positionOf(field, 4);
  }

  #numbers(field: number, width: number, read: (at: number) => number): number[] {
    const { start, count } = this.#vector(field, width);
    return Array.from({ length: count }, (_, i) => read(start + i * width));
  }

  #vector(field: number, width: number): { readonly start: number; readonly count: number } {
    const at = this.listAt(field);
    if (at === 0) return { start: 0, count: 0 };
    const count = within(this.#file, at, 4).getUint32(at, true);
    within(this.#file, at + 4, count * width);
    this.#file.bytesLeftToRead -= count * width;
    if (this.#file.bytesLeftToRead < 0) throw new FlatbufferError('It says the same bytes again and again.');
    return { start: at + 4, count };
  }

  #follow(at: number): number {
    return at + within(this.#file, at, 4).getUint32(at, true);
  }

  #positionOf(field: number, width: number): number {
    const slot = this.#vtable + 4 + 2 * field;
    const offset = slot + 2 <= this.#vtableEnd ? this.#file.view.getUint16(slot, true) : 0;
    if (offset === 0) return 0;
    within(this.#file, this.#at + offset, width);
    return this.#at + offset;
  }
}

function within({ view, bytes }: FlatFile, at: number, byteLength: number): DataView {
  if (at >= 0 && byteLength >= 0 && at + byteLength <= bytes.length) return view;
  throw new FlatbufferError(`It points to byte ${at + byteLength} of ${bytes.length}.`);
}
