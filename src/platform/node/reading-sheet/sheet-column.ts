import { deserialize, serialize } from 'node:v8';
import type { StructValue } from '../../../data-service/face/captures.ts';

/** How the values of a column lie in its bytes. Every form gives back the very values: NaN, -0 and texts of any kind too. */
export type ColumnForm =
  /** no bytes: one value for all */
  | { readonly kind: 'same'; readonly value: Scalar }
  /** whole numbers n, each standing for (base + n) / scale */
  | { readonly kind: 'whole'; readonly width: 1 | 2 | 4; readonly base: number; readonly scale: number }
  | { readonly kind: 'doubles' }
  /** a byte each: the place in `values` */
  | { readonly kind: 'codes'; readonly values: readonly Scalar[] }
  /** the JSON text of all values as one array */
  | { readonly kind: 'json' }
  /** for what JSON text would change */
  | { readonly kind: 'v8' };

export interface EncodedColumn {
  readonly form: ColumnForm;
  readonly bytes: Uint8Array;
}

type Scalar = string | number | boolean | null;

const mostCodes = 256;
const scales = [1, 10, 100, 1000, 10_000];
const none = new Uint8Array();

/** `values`: at least one. */
export function encodeColumn(values: readonly StructValue[]): EncodedColumn {
  const numbers = values.every((value) => typeof value === 'number') ? (values as readonly number[]) : null;
  return (
    encodeSame(values) ??
    (numbers && encodeWhole(numbers)) ??
    encodeCodes(values) ??
    (numbers ? { form: { kind: 'doubles' }, bytes: bytesOf(Float64Array.from(numbers)) } : encodeText(values))
  );
}

/** `bytes` begin at a multiple of eight. */
export function decodeColumn({ form, bytes }: EncodedColumn, count: number): ArrayLike<StructValue> {
  switch (form.kind) {
    case 'same':
      return new Array<StructValue>(count).fill(form.value);
    case 'whole':
      return decodeWhole(bytes, form);
    case 'doubles':
      return new Float64Array(bytes.buffer, bytes.byteOffset, count);
    case 'codes':
      return Array.from(bytes, (code) => form.values[code]!);
    case 'json':
      return JSON.parse(new TextDecoder().decode(bytes)) as StructValue[];
    case 'v8':
      return deserialize(bytes) as StructValue[];
  }
}

/** Whether JSON text gives the value back as it is. */
const isJsonScalar = (value: StructValue): value is Scalar =>
  typeof value === 'number'
    ? Number.isFinite(value) && !Object.is(value, -0)
    : typeof value !== 'object' || value === null;

function encodeSame(values: readonly StructValue[]): EncodedColumn | null {
  const value = values[0]!;
  if (!isJsonScalar(value) || values.some((other) => !Object.is(other, value))) return null;
  return { form: { kind: 'same', value }, bytes: none };
}

const widths = [
  { width: 1, Values: Uint8Array },
  { width: 2, Values: Uint16Array },
  { width: 4, Values: Uint32Array },
] as const;

function encodeWhole(values: readonly number[]): EncodedColumn | null {
  const scale = scales.find((candidate) => isScaled(values[0]!, candidate));
  if (scale === undefined) return null;
  for (const other of scales.slice(scales.indexOf(scale))) {
    if (!values.every((value) => isScaled(value, other))) continue;
    const whole = values.map((value) => Math.round(value * other));
    const base = whole.reduce((least, value) => Math.min(least, value));
    const span = whole.reduce((most, value) => Math.max(most, value)) - base;
    const fitting = widths.find(({ width }) => span < 2 ** (8 * width));
    if (fitting === undefined) return null;
    const { width, Values } = fitting;
    const bytes = bytesOf(new Values(whole.map((value) => value - base)));
    return { form: { kind: 'whole', width, base, scale: other }, bytes };
  }
  return null;
}

/** Whether a number is a whole one divided by the scale, to the bit. */
function isScaled(value: number, scale: number): boolean {
  const whole = Math.round(value * scale);
  return Number.isSafeInteger(whole) && whole / scale === value && !Object.is(value, -0);
}

function decodeWhole(
  { buffer, byteOffset, byteLength }: Uint8Array,
  { width, base, scale }: Extract<ColumnForm, { kind: 'whole' }>,
): Float64Array {
  const { Values } = widths.find((candidate) => candidate.width === width)!;
  const values = Float64Array.from(new Values(buffer as ArrayBuffer, byteOffset, byteLength / width));
  for (let index = 0; index < values.length; index++) values[index] = (base + values[index]!) / scale;
  return values;
}

function encodeCodes(values: readonly StructValue[]): EncodedColumn | null {
  const places = new Map<Scalar, number>();
  const bytes = new Uint8Array(values.length);
  for (const [index, value] of values.entries()) {
    if (!isJsonScalar(value)) return null;
    let place = places.get(value);
    if (place === undefined) {
      if (places.size === mostCodes) return null;
      places.set(value, (place = places.size));
    }
    bytes[index] = place;
  }
  return { form: { kind: 'codes', values: [...places.keys()] }, bytes };
}

function encodeText(values: readonly StructValue[]): EncodedColumn {
  let isExact = true;
  const text = JSON.stringify(values, (_, value: StructValue) => {
    if (!isJsonScalar(value) && typeof value === 'number') isExact = false;
    return value;
  });
  return isExact
    ? { form: { kind: 'json' }, bytes: new TextEncoder().encode(text) }
    : { form: { kind: 'v8' }, bytes: new Uint8Array(serialize(values)) };
}

const bytesOf = ({ buffer, byteLength }: { readonly buffer: ArrayBufferLike; readonly byteLength: number }) =>
  new Uint8Array(buffer, 0, byteLength);
