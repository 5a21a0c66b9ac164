import { create, fromBinary, toJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { AnySchema, StructSchema, ValueSchema, type Any } from '@bufbuild/protobuf/wkt';
import type { PackedValue, StructObject } from '../ports/stored-captures.ts';

/** Keeps the parameters of an upload as they came. */
export const packParameters = (parameters: Readonly<Record<string, Any>>): Record<string, PackedValue> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { typeUrl, value }]) => [name, { typeUrl, value: value.slice() }]),
  );

export const unpackParameters = (parameters: Readonly<Record<string, PackedValue>>): Record<string, Any> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { typeUrl, value }]) => [name, create(AnySchema, { typeUrl, value })]),
  );

/**
 * The parameters as canonical JSON (keys sorted), '' where there are none. Machines pack each one as a Value, the Python
 * client as a Struct; one of another type says nothing that can be compared, and is left out.
 */
export function parametersText(parameters: Readonly<Record<string, Any>>): string {
  const values: JsonObject = {};
  for (const [name, packed] of Object.entries(parameters)) {
    const value = decodeParameter(packed);
    if (value !== undefined) values[name] = value;
  }
  return canonicalParameters(values);
}

/** The same text for parameters of a request; null for "any parameters", which clients also say by an empty Struct. */
export function requestedParameters(parameters: JsonObject | undefined): string | null {
  return parameters === undefined || Object.keys(parameters).length === 0 ? null : canonicalParameters(parameters);
}

/** Back from the text. */
export const parametersObject = (text: string): JsonObject => (text === '' ? {} : (JSON.parse(text) as JsonObject));

export const canonicalParameters = (parameters: StructObject | JsonObject): string =>
  Object.keys(parameters).length === 0 ? '' : JSON.stringify(sorted(parameters as JsonObject));

function decodeParameter({ typeUrl, value }: Any): JsonValue | undefined {
  const type = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
  try {
    if (type === ValueSchema.typeName) return toJson(ValueSchema, fromBinary(ValueSchema, value));
    if (type === StructSchema.typeName) return toJson(StructSchema, fromBinary(StructSchema, value));
  } catch {
    // Bytes that are not what their type says are kept as they are, and compared by nobody.
  }
  return undefined;
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name]!)]),
  );
}
