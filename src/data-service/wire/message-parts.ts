import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { Code, ConnectError } from '@connectrpc/connect';

/**
 * How many parts one message may have: fields in protobuf, values in JSON. Each becomes an object of a hundred
 * bytes or more, even if it has only a few bytes itself. The limit allows about 20,000 readings.
 */
export const maxMessageParts = 500_000;
/** Approximate memory of a part: a message without fields, or empty bytes. */
export const partBytes = 128;
/** An item of a packed list is a number in an array. */
const packedBytesPerPart = 16;

/** @throws ConnectError ResourceExhausted beyond `maxMessageParts` */
export function requireFewParts(parts: number): void {
  if (parts <= maxMessageParts) return;
  const most = maxMessageParts.toLocaleString('en');
  throw new ConnectError(
    `A message may have ${most} fields, those of the messages in it counted with, and this one has more; send it in several.`,
    Code.ResourceExhausted,
  );
}

/** How a field is read, whatever wire type precedes it; the same as in Protobuf-ES. */
interface FieldForm {
  readonly wireType: WireType;
  /** whether its values may be packed */
  readonly isPackable: boolean;
  /** for a field that is a message */
  readonly inner: (() => Within) | null;
}

/** What the parser is within: a message or a packed list up to its end, or an unknown group up to its end mark. */
interface Within {
  readonly kind: 'message' | 'list' | 'group';
  readonly forms: ReadonlyMap<number, FieldForm>;
  /** for a list, whose items have no tags */
  readonly item: WireType;
}

const within = (kind: Within['kind'], forms: Within['forms'] = new Map(), item = WireType.Varint): Within => ({
  kind,
  forms,
  item,
});
const group = within('group');
const lists: ReadonlyMap<WireType, Within> = new Map(
  [WireType.Varint, WireType.Bit32, WireType.Bit64].map((item) => [item, within('list', undefined, item)]),
);

const known = new WeakMap<DescMessage, Within>();

function withinMessage(message: DescMessage): Within {
  let found = known.get(message);
  if (found === undefined) {
    found = within('message', new Map(message.fields.map((field) => [field.number, formOf(field)])));
    known.set(message, found);
  }
  return found;
}

function formOf(field: DescField): FieldForm {
  const { message } = field;
  if (field.fieldKind === 'map') {
    const value = message === undefined ? scalarForm(field.scalar ?? ScalarType.INT32) : messageForm(message);
    const entry = within('message', new Map([[1, scalarForm(field.mapKey)], [2, value]])); // prettier-ignore
    return { wireType: WireType.LengthDelimited, isPackable: false, inner: () => entry };
  }
  if (message !== undefined) return messageForm(message);
  const form = scalarForm(field.scalar ?? ScalarType.INT32); // an enum is one
  return { ...form, isPackable: field.fieldKind === 'list' && form.wireType !== WireType.LengthDelimited };
}

const messageForm = (message: DescMessage): FieldForm => ({
  wireType: WireType.LengthDelimited,
  isPackable: false,
  inner: () => withinMessage(message),
});

const scalarForm = (type: ScalarType): FieldForm => ({ wireType: wireTypeOf(type), isPackable: false, inner: null });

function wireTypeOf(type: ScalarType): WireType {
  switch (type) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}

/**
 * Counts the parts of a protobuf message while its bytes arrive, before any object is created. It parses as
 * Protobuf-ES does, including wrong wire types, so that no message can hide parts from it. Where Protobuf-ES fails,
 * the count does not matter. https://protobuf.dev/programming-guides/encoding
 */
export class PartCounter {
  /** the messages and lists around the next byte, the innermost last, and where each ends */
  readonly #within: Within[];
  readonly #ends: number[] = [Infinity];
  #count = 0;
  /** number of bytes received */
  #offset = 0;
  #skip = 0;
  #next: 'tag' | 'value' | 'length' = 'tag';
  #form: FieldForm | undefined;
  /** the list that a packed field's values belong to */
  #packed: Within | null = null;
  /** the varint that is being read */
  #varint = 0;
  #shift = 0;

  constructor(message: DescMessage) {
    this.#within = [withinMessage(message)];
  }

  get count(): number {
    return this.#count;
  }

  /** @throws ConnectError ResourceExhausted beyond `maxMessageParts` */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, bytes.length - at);
        this.#skip -= skipped;
        this.#offset += skipped;
        at += skipped;
        continue;
      }
      if (this.#next === 'tag' && this.#shift === 0 && this.#isWithinList()) continue;
      const byte = bytes[at++]!;
      this.#offset++;
      // bits beyond 32 are no part of a tag or a length
      if (this.#shift < 32) this.#varint |= (byte & 0x7f) << this.#shift;
      this.#shift += 7;
      if (byte >= 0x80) continue;
      const varint = this.#varint >>> 0;
      this.#varint = this.#shift = 0;
      this.#take(varint);
    }
  }

  /** Leaves messages and lists that end here, and begins an item if a list continues. */
  #isWithinList(): boolean {
    while (this.#ends.at(-1)! <= this.#offset) this.#leave();
    const { kind, item } = this.#within.at(-1)!;
    if (kind !== 'list') return false;
    this.#begin(item);
    return true;
  }

  #enter(what: Within, end: number): void {
    this.#within.push(what);
    this.#ends.push(end);
  }

  #leave(): void {
    this.#within.pop();
    this.#ends.pop();
  }

  #take(varint: number): void {
    const next = this.#next;
    this.#next = 'tag';
    if (next === 'tag') return this.#takeTag(varint);
    if (next === 'value') return;
    const end = this.#offset + varint;
    if (this.#form?.inner) this.#enter(this.#form.inner(), end);
    else if (this.#packed === null) this.#skip = varint;
    else {
      this.#addParts(Math.floor(varint / packedBytesPerPart));
      this.#enter(this.#packed, end);
    }
  }

  #takeTag(tag: number): void {
    this.#addParts(1);
    const told: WireType = tag & 7;
    this.#form = this.#within.at(-1)!.forms.get(tag >>> 3);
    const form = this.#form;
    const isPacked = told === WireType.LengthDelimited && form?.isPackable === true;
    this.#packed = isPacked ? lists.get(form.wireType)! : null;
    this.#begin(isPacked ? told : (form?.wireType ?? told));
  }

  /** The next value has this form. */
  #begin(wireType: WireType): void {
    switch (wireType) {
      case WireType.Varint:
        this.#next = 'value';
        break;
      case WireType.LengthDelimited:
        this.#next = 'length';
        break;
      case WireType.Bit64:
        this.#skip = 8;
        break;
      case WireType.Bit32:
        this.#skip = 4;
        break;
      case WireType.StartGroup:
        this.#enter(group, Infinity);
        break;
      case WireType.EndGroup:
        if (this.#within.at(-1)!.kind === 'group') this.#leave();
    }
  }

  #addParts(parts: number): void {
    this.#count += parts;
    requireFewParts(this.#count);
  }
}

/**
 * The number of values in a JSON text, given as bytes: counts the characters that begin a list, an object or
 * another item of either.
 */
export function countJsonParts(text: Uint8Array): number {
  let count = 0;
  // an iterator makes an object of every byte
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  }
  return count;
}
