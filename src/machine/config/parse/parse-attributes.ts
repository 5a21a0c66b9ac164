import { isObject, type JsonObject } from '../json/json-document.ts';

/** Go's name of each type that an attribute may have: it is what the machine's own messages say. */
export interface AttributeTypes {
  string: string;
  bool: boolean;
  int: number;
  uint: number;
  float64: number;
  '[]string': readonly string[];
  '[]int': readonly number[];
  '[]float32': readonly number[];
  'map[string]string': Readonly<Record<string, string>>;
  'map[string]float64': Readonly<Record<string, number>>;
  /** a nested object, undecoded; null when missing */
  struct: JsonObject | null;
  /** a list of nested objects, undecoded */
  '[]struct': readonly JsonObject[];
}

export type AttributeType = keyof AttributeTypes;
export type AttributeFields = Readonly<Record<string, AttributeType>>;
export type Attributes<F extends AttributeFields> = { readonly [K in keyof F]: AttributeTypes[F[K]] };

export interface AttributeError {
  /** the key as written, then the path inside its value */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** the type that is expected there; null for the attribute object itself */
  readonly expected: AttributeType | null;
}

/**
 * Decodes an attribute object as the machine does: a key matches exactly, else without regard to case; unknown keys
 * are ignored; missing and null give the zero value; numbers are truncated toward zero for `int` and `uint`.
 * Every field is decoded even when another fails, and a field that fails has its zero value.
 */
export function parseAttributes<F extends AttributeFields>(
  raw: unknown,
  fields: F,
): { value: Attributes<F>; errors: readonly AttributeError[] } {
  const errors: AttributeError[] = [];
  if (raw !== undefined && raw !== null && !isObject(raw)) {
    errors.push({ path: [], message: `expected a map of attributes, got ${typeName(raw)}`, expected: null });
  }
  const source = isObject(raw) ? raw : {};
  const value: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(fields)) {
    const key = matchingKey(source, name);
    value[name] = decode(key === undefined ? null : source[key], type, [key ?? name], errors);
  }
  return { value: value as Attributes<F>, errors };
}

/**
 * Finds the key that the machine takes for an attribute: the exact one, otherwise the first that differs only in case. Of several
 * such, the machine takes one at random.
 * @param source attributes as they were written
 * @param name of the attribute
 * @returns the key as it was written; undefined: there is none
 * @example
 * matchingKey({ Source: 'cam' }, 'source'); // => 'Source'
 * matchingKey({ Source: 'cam', source: 'other' }, 'source'); // => 'source'
 */
export function matchingKey(source: JsonObject, name: string): string | undefined {
  if (Object.hasOwn(source, name)) return name;
  const folded = foldKey(name);
  return Object.keys(source).find((key) => foldKey(key) === folded);
}

/**
 * A key as the machine compares it, whatever its case: by Unicode's simple case folding (Go's strings.EqualFold), for which the long
 * s and the Kelvin sign are letters of attribute names, too. Nothing else beyond ASCII folds to those.
 */
export const foldKey = (key: string): string => key.toLowerCase().replaceAll('\u017f', 's');

/** All errors of one resource in one sentence, as the machine joins them. */
export function joinAttributeErrors(errors: readonly AttributeError[]): string {
  return errors.map(({ message }) => message).join('; ');
}

function decode(raw: unknown, type: AttributeType, path: AttributeError['path'], errors: AttributeError[]): unknown {
  const refuse = (zero: unknown): unknown => {
    errors.push({
      path,
      expected: type,
      message: `'${path.join('.')}' expected type '${type}', got unconvertible type '${typeName(raw)}', value: ${JSON.stringify(raw)}`,
    });
    return zero;
  };
  switch (type) {
    case 'string':
      return raw === null ? '' : typeof raw === 'string' ? raw : refuse('');
    case 'bool':
      return raw === null ? false : typeof raw === 'boolean' ? raw : refuse(false);
    case 'float64':
      return raw === null ? 0 : typeof raw === 'number' ? raw : refuse(0);
    case 'int':
      return raw === null ? 0 : typeof raw === 'number' ? truncate(raw) : refuse(0);
    case 'uint':
      if (typeof raw === 'number' && raw < 0) {
        errors.push({ path, message: `cannot parse '${path.join('.')}', ${raw} overflows uint`, expected: type });
        return 0;
      }
      return raw === null ? 0 : typeof raw === 'number' ? Math.trunc(raw) % 2 ** 32 : refuse(0); // 32 bits are kept
    case '[]string':
      return decodeList(raw, 'string', path, errors) ?? refuse([]);
    case '[]int':
      return decodeList(raw, 'int', path, errors) ?? refuse([]);
    case '[]float32':
      return decodeList(raw, 'float64', path, errors) ?? refuse([]);
    case '[]struct':
      return decodeList(raw, 'struct', path, errors)?.map((item) => item ?? {}) ?? refuse([]);
    case 'map[string]string':
      return decodeMap(raw, 'string', path, errors) ?? refuse({});
    case 'map[string]float64':
      return decodeMap(raw, 'float64', path, errors) ?? refuse({});
    case 'struct':
      return raw === null || isObject(raw) ? raw : refuse(null);
  }
}

function decodeList(raw: unknown, item: AttributeType, path: AttributeError['path'], errors: AttributeError[]) {
  if (raw === null) return [];
  if (!Array.isArray(raw)) return undefined;
  return raw.map((value: unknown, index) => decode(value, item, [...path, index], errors));
}

function decodeMap(raw: unknown, item: AttributeType, path: AttributeError['path'], errors: AttributeError[]) {
  if (raw === null) return {};
  if (!isObject(raw)) return undefined;
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [key, decode(value, item, [...path, key], errors)]),
  );
}

/**
 * Toward zero, and never -0: it would print as "-0". A number beyond 64 bits becomes the lowest one, as Go converts it on
 * amd64 (on arm64 it becomes the nearest one; the Go specification leaves it open).
 */
function truncate(value: number): number {
  return value >= 2 ** 63 || value < -(2 ** 63) ? -(2 ** 63) : Math.trunc(value) + 0;
}

function typeName(raw: unknown): string {
  if (Array.isArray(raw)) return '[]interface {}';
  if (typeof raw === 'number') return 'float64';
  if (typeof raw === 'boolean') return 'bool';
  return isObject(raw) ? 'map[string]interface {}' : typeof raw;
}
