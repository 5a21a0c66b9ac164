import type { TensorDtype } from '../../machine/vision/face/feeding.ts';

/** TensorType of the schema, by number, in the words of TensorDtype where that has one. */
const names = [
  'float32',
  'float16',
  'int32',
  'uint8',
  'int64',
  'string',
  'bool',
  'int16',
  'complex64',
  'int8',
  'float64',
  'complex128',
  'uint64',
  'resource',
  'variant',
  'uint32',
  'uint16',
  'int4',
  'bfloat16',
  'int2',
  'uint4',
  'float8_e4m3fn',
  'float8_e5m2',
] as const;

/** "float32"; "type 99" for what no schema of ours has. */
export function tensorTypeName(type: number): string {
  return names[type] ?? `type ${type}`;
}

/**
 * Gives the number of a type in the schema.
 * @param name of a type that has one here
 * @returns TensorType's number
 * @example
 * tensorTypeNumber('uint8'); // => 3
 */
export function tensorTypeNumber(name: (typeof names)[number]): number {
  return names.indexOf(name);
}

const dtypes: ReadonlySet<string> = new Set<TensorDtype>([
  'float32',
  'float16',
  'float64',
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'uint64',
  'int64',
  'bool',
  'string',
]);

/** Whether this app can describe a tensor of that type. */
export function isTensorDtype(name: string): name is TensorDtype {
  return dtypes.has(name);
}
