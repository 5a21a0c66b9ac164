import type { FieldHint } from '../../../data-service/face/captures.ts';
import type { IndexedValue } from '../../data-store/field-values.ts';

/** Code units. A row of an index takes up to 2704 bytes, https://www.postgresql.org/docs/current/btree.html */
const longestText = 200;

const types = ['number', 'string', 'boolean'] as const;

/**
 * What stands for a value in an index: bytes that are in the order of the values, type by type. Of long texts they have the
 * beginning only, so that what an index finds for them may be too much.
 */
export function indexKey(value: IndexedValue): Buffer {
  return Buffer.concat([typeMark(typeof value), typeof value === 'number' ? ofNumber(value) : ofOther(value)]);
}

/** Which keys a hint is met by: from the first to the last. */
export function keysWithin({ from, to }: FieldHint): {
  readonly first: Buffer;
  readonly hasFirst: boolean;
  readonly last: Buffer;
  readonly hasLast: boolean;
} {
  const type = typeof (from ?? to)!.value;
  return {
    first: from === null ? typeMark(type) : indexKey(from.value as IndexedValue),
    hasFirst: from === null || from.inclusive || isCut(from.value),
    last: to === null ? typeMark(type, 1) : indexKey(to.value as IndexedValue),
    hasLast: to !== null && (to.inclusive || isCut(to.value)),
  };
}

const typeMark = (type: string, beyond = 0): Buffer =>
  Buffer.of(types.indexOf(type as (typeof types)[number]) + 1 + beyond);

const isCut = (value: unknown): boolean => typeof value === 'string' && value.length >= longestText;

/** The bytes of a number by IEEE 754, in whose order negative numbers are the wrong way round. */
function ofNumber(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  if (value < 0) return bytes.map((byte) => byte ^ 0xff) as Buffer;
  bytes[0]! |= 0x80;
  return bytes;
}

/** Texts by their code units, as queries compare them: UTF-8 would order surrogate pairs otherwise, and loses halves of them. */
const ofOther = (value: string | boolean): Buffer =>
  typeof value === 'boolean' ? Buffer.of(Number(value)) : Buffer.from(value.slice(0, longestText), 'utf16le').swap16();
