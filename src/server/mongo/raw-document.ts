/** A field of a BSON document: name and value of the types that answers need. */
type RawField = readonly [name: string, value: RawValue];
/** a whole number of 64 bits, a text, a document that is BSON already, or an array of such */
type RawValue = bigint | number | string | Uint8Array | readonly Uint8Array[];

// Element types of BSON (bsonspec.org)
const double = 1;
const text = 2;
const document = 3;
const array = 4;
const int64 = 18;

/** A document around documents that are BSON already, which are not decoded for it. Numbers become doubles. */
export function rawDocument(...fields: readonly RawField[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.alloc(4)];
  for (const [name, value] of fields) {
    const [type, bytes] = encode(value);
    parts.push(Uint8Array.of(type), Buffer.from(`${name}\0`), bytes);
  }
  parts.push(Uint8Array.of(0));
  const whole = Buffer.concat(parts);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}

function encode(value: RawValue): [type: number, bytes: Uint8Array] {
  if (value instanceof Uint8Array) return [document, value];
  switch (typeof value) {
    case 'bigint': {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(value);
      return [int64, bytes];
    }
    case 'number': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value);
      return [double, bytes];
    }
    case 'string': {
      const content = Buffer.from(`${value}\0`);
      const length = Buffer.alloc(4);
      length.writeInt32LE(content.length);
      return [text, Buffer.concat([length, content])];
    }
    default:
      return [array, rawDocument(...value.map((item, index): RawField => [String(index), item]))];
  }
}
