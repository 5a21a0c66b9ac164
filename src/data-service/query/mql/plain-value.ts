import { isDocument, type QueryDocument, type QueryValue } from '../query-document.ts';
import { invalidQuery } from '../query-error.ts';

/** MongoDB nests at most 100 levels in a BSON document. */
const maxDepth = 100;

/**
 * A parsed BSON or JSON value in the types queries work on: long, decimal and double become numbers, object ids their
 * hexadecimal text, timestamps dates, and extended JSON (`{"$date": …}`, `{"$numberLong": …}`) what it stands for.
 * Throws QueryError `invalid-query` for code, references, min and max keys, and for more than 100 levels.
 */
export function plainValue(value: unknown, depth = 0): QueryValue {
  if (depth > maxDepth) throw invalidQuery(`The query is nested deeper than ${maxDepth} levels.`);
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object') return value as QueryValue;
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  if (value instanceof Date || value instanceof RegExp || value instanceof Uint8Array) return value;
  if ('_bsontype' in value) return plainBson(value as BsonValue);
  return extendedJson(value as Record<string, unknown>) ?? plainDocument(value as Record<string, unknown>, depth);
}

function plainDocument(value: Record<string, unknown>, depth: number): QueryDocument {
  const entries = Object.entries(value).map(([field, item]) => {
    if (field === '__proto__') throw invalidQuery('A field may not be named __proto__.');
    return [field, plainValue(item, depth + 1)] as const;
  });
  return Object.fromEntries(entries);
}

interface BsonValue {
  readonly _bsontype: string;
  toString(): string;
  readonly value?: unknown;
  readonly pattern?: string;
  readonly options?: string;
  readonly buffer?: Uint8Array;
  readonly position?: number;
  getHighBits?(): number;
}

function plainBson(value: BsonValue): QueryValue {
  switch (value._bsontype) {
    case 'Long':
    case 'Decimal128':
      return Number(value.toString());
    case 'Double':
    case 'Int32':
      return Number(value.value);
    case 'ObjectId':
    case 'UUID':
      return value.toString();
    case 'BSONSymbol':
      return String(value.value);
    case 'Binary':
      return value.buffer!.slice(0, value.position);
    case 'Timestamp':
      return new Date(value.getHighBits!() * 1000);
    case 'BSONRegExp':
      return pattern(value.pattern!, value.options ?? '');
    default:
      throw invalidQuery(`A query may not hold a BSON ${value._bsontype}.`);
  }
}

/** Mongo's options i, m and s; x (free spacing) has no counterpart here. */
function pattern(source: string, options: string): RegExp {
  const unknown = /[^ims]/.exec(options);
  if (unknown)
    throw invalidQuery(`The option ${unknown[0]} of the pattern /${source}/ is not supported; i, m and s are.`);
  try {
    return new RegExp(source, options);
  } catch (cause) {
    throw invalidQuery(`/${source}/${options} is not a pattern.`, cause);
  }
}

/** The value that a document of extended JSON stands for, or undefined when it is no extended JSON. */
function extendedJson(value: Record<string, unknown>): QueryValue {
  const [first, ...others] = Object.keys(value);
  if (first === undefined || !first.startsWith('$') || others.length > 0) return undefined;
  const inner = value[first];
  switch (first) {
    case '$date':
      return date(inner);
    case '$numberInt':
    case '$numberLong':
    case '$numberDouble':
    case '$numberDecimal':
      return number(first, inner);
    case '$oid':
    case '$uuid':
      if (typeof inner !== 'string') throw invalidQuery(`${first} takes a text, not ${JSON.stringify(inner)}.`);
      return inner;
    case '$regularExpression':
      if (!isDocument(inner) || typeof inner.pattern !== 'string')
        throw invalidQuery('$regularExpression takes {pattern, options}.');
      return pattern(inner.pattern, typeof inner.options === 'string' ? inner.options : '');
    default:
      return undefined;
  }
}

function number(name: string, inner: unknown): number {
  const parsed = typeof inner === 'string' && inner.trim() !== '' ? Number(inner) : Number.NaN;
  if (Number.isNaN(parsed) && inner !== 'NaN')
    throw invalidQuery(`${JSON.stringify(inner)} is not a number for ${name}.`);
  return parsed;
}

function date(inner: unknown): Date {
  const value = plainValue(inner);
  const parsed = value instanceof Date ? value : new Date(typeof value === 'number' ? value : String(value));
  if (Number.isNaN(parsed.getTime())) throw invalidQuery(`${JSON.stringify(inner)} is not a date for $date.`);
  return parsed;
}
