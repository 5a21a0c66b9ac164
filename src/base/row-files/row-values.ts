import { EJSON, type Binary } from 'bson';

/** A document of BSON values, as bson's `deserialize` returns them; whole numbers beyond 2^53 are Longs. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * What a value is, as far as a file's column must know it. `wide` is a whole number of 64 bits that no double has exactly; `instant`
 * a text that is a time to the microsecond, in a column that is known to have times; `json` whatever has no type of its own in a table.
 */
export type ValueKind =
  'boolean' | 'whole' | 'wide' | 'double' | 'time' | 'instant' | 'text' | 'bytes' | 'id' | 'decimal' | 'json';

interface BsonValue {
  readonly _bsontype?: unknown;
  readonly sub_type?: unknown;
}

/** The kind of a value; null: there is none. Of documents, only those without fields are values. */
export function kindOf(value: unknown): ValueKind | null {
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'text';
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'whole' : 'double';
    case 'object':
      return value === null ? null : kindOfObject(value);
    default:
      return 'json';
  }
}

function kindOfObject(value: object): ValueKind {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'json' : 'time';
  const { _bsontype: type, sub_type: subtype } = value as BsonValue;
  if (type === 'Long') return 'wide'; // bson promotes those that a double has exactly
  if (type === 'ObjectId') return 'id';
  if (type === 'Decimal128') return 'decimal';
  return (type === 'Binary' && subtype === 0) || (type === undefined && value instanceof Uint8Array) ? 'bytes' : 'json';
}

/** Whether a value is a document with fields, which have columns of their own. */
export function hasFields(value: unknown): value is Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (value instanceof Date || value instanceof RegExp || value instanceof Uint8Array) return false;
  if ((value as BsonValue)._bsontype !== undefined) return false;
  for (const _ in value) return true;
  return false;
}

/** The bytes of a value of the kind `bytes`. */
export const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : (value as Binary).value();

/**
 * A value as JSON: relaxed extended JSON (MongoDB's), but with `$numberLong` where a whole number is beyond 2^53, as most readers of
 * JSON have doubles only.
 */
export const jsonText = (value: unknown): string => JSON.stringify(extended(value));

function extended(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { $numberDouble: doubleText(value) };
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(extended);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : EJSON.serialize(value, { relaxed: true });
  const isPlain =
    (value as BsonValue)._bsontype === undefined && !(value instanceof RegExp) && !(value instanceof Uint8Array);
  if (!isPlain) return EJSON.serialize(value, { relaxed: false });
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, extended(field)]));
}

/** The digits from which the same double is read again; NaN, the infinities and -0 ("-0.0") as in extended JSON. */
export const doubleText = (value: number): string => (Object.is(value, -0) ? '-0.0' : String(value));
